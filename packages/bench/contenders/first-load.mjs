import { buildI18next, buildParaglide, buildServicekit } from '../lib/first-load/contenders.mjs'
import { firstLoadBytes, firstLoadLeaks } from '../lib/first-load/measure.mjs'
import { temporaryFolder } from '../lib/temporary.mjs'

const apps = { servicekit: buildServicekit, paraglide: buildParaglide, i18next: buildI18next }

/**
 * Builds and visits an application. Runs in a separate process, because bundler plugins
 * print their progress.
 *
 * @param {{ app: keyof typeof apps, languages: number, leaks: boolean }} input
 */
export const prepare =
  ({ app, languages, leaks }) =>
  async () => ({
    bytes: await firstLoadBytes(apps[app], languages, temporaryFolder),
    ...(leaks ? await firstLoadLeaks(apps[app], languages, temporaryFolder) : {}),
  })
