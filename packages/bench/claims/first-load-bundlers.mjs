import { launchBrowser } from '@servicekit/testing/browser'
import { emptyApp, servicekitApp } from '../lib/first-load/apps.mjs'
import { bundlers } from '../lib/first-load/bundlers.mjs'
import { firstLoadBytes, stringsOnlyBytes } from '../lib/first-load/measure.mjs'

/**
 * The bytes of `first-load` for each bundler, each with its usual minifier.
 * The bytes of the same application with calls of an empty function instead of its
 * messages, built by the same bundler, are subtracted.
 */
const goals = { 5: 2900, 20: 3200 }

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'first page of an application built by each bundler',
  rounds: 1,
  claims: Object.keys(bundlers).flatMap((name) =>
    Object.entries(goals).map(([languages, max]) => ({
      claim: `first-load-${name}-${languages}`,
      figure: 'bytes',
      unit: 'B',
      ours: `${name} ${languages}`,
      peer: 'strings',
      peerName: 'strings only',
      goal: { max },
    })),
  ),
  async prepare({ onEnd }) {
    const browser = await launchBrowser()
    onEnd(() => browser.close())
    const contenders = Object.entries(bundlers).flatMap(([name, bundle]) =>
      Object.keys(goals).map((languages) => [
        `${name} ${languages}`,
        async () => {
          const apps = /** @type {const} */ ([servicekitApp(bundle), emptyApp(bundle)])
          return { bytes: await firstLoadBytes(browser, ...apps, Number(languages)) }
        },
      ]),
    )
    return {
      ...Object.fromEntries(contenders),
      strings: async () => ({ bytes: stringsOnlyBytes() }),
    }
  },
}
