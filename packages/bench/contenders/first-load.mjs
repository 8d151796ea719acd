import { launchBrowser } from '@servicekit/testing/browser'
import { emptyApp, i18nextApp, paraglideApp, servicekitApp } from '../lib/first-load/apps.mjs'
import { bundlers } from '../lib/first-load/bundlers.mjs'
import { firstLoadBytes, firstLoadLeaks, tenPagesLeaks } from '../lib/first-load/measure.mjs'

const apps = {
  servicekit: servicekitApp(bundlers.vite),
  paraglide: paraglideApp,
  i18next: i18nextApp,
}

/**
 * Builds an application with vite and loads its first page. Runs in a separate process,
 * because bundler plugins print their progress.
 *
 * @param {{ app: keyof typeof apps, languages: number, leaks: boolean }} input
 */
export const prepare =
  ({ app, languages, leaks }) =>
  async () => {
    const browser = await launchBrowser()
    try {
      return {
        bytes: await firstLoadBytes(browser, apps[app], emptyApp(), languages),
        ...(leaks ? await firstLoadLeaks(browser, apps[app], languages) : {}),
        ...(leaks ? { tenPages: await tenPagesLeaks(browser, apps[app]) } : {}),
      }
    } finally {
      await browser.close()
    }
  }
