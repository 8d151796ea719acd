import { launchBrowser } from '@servicekit/workspace/browser'
import { bundlers } from '../lib/first-load/bundlers.mjs'
import { bundledBytes, stringsAlone } from '../lib/first-load/measure.mjs'

/**
 * The bytes of `first-load` for each bundler, each with its own minifier (rollup has none),
 * as requested by Chromium. The bytes of the same application with calls of an empty
 * function in place of its messages, built by the same bundler, are subtracted.
 */
const goals = { 5: 2900, 20: 3200 }
const names = /** @type {(keyof typeof bundlers)[]} */ (Object.keys(bundlers))

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'first page of an application built by each bundler, as a browser loads it',
  rounds: 1,
  claims: names.flatMap((name) =>
    Object.entries(goals).map(([languages, max]) => ({
      claim: `first-load-${name}-${languages}`,
      figure: 'bytes',
      unit: 'B',
      ours: `${name} ${languages}`,
      peer: 'strings',
      peerName: 'the strings alone',
      goal: { max },
    })),
  ),
  async prepare({ folder, onEnd }) {
    const browser = await launchBrowser()
    onEnd(() => browser.close())
    const built = names.flatMap((name) =>
      Object.keys(goals).map((languages) => [
        `${name} ${languages}`,
        async () => ({
          bytes: await bundledBytes(bundlers[name], Number(languages), folder, browser),
        }),
      ]),
    )
    return { ...Object.fromEntries(built), strings: async () => ({ bytes: stringsAlone() }) }
  },
}
