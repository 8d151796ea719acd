import { launchBrowser } from '@servicekit/testing/browser'
import { uilm } from '@servicekit/unplugin/vite'
import { createServer } from 'vite'
import { countTraffic, expectedTexts, shownByView, writeDevPage } from '../lib/dev-page.mjs'
import { generateCatalog } from '../lib/generate-catalog.mjs'
import { versionOf } from '../lib/peers.mjs'
import { writeSnapshot } from '../lib/projects.mjs'

/**
 * First load of a page from a development server that has just started: time until the page shows
 * its texts, requests, and bytes, which vite does not compress. The page has 20 views; each shows
 * 25 of the 500 messages of its own module, so that the page shows 500 of 10,000 keys in one of
 * 20 languages. The peer is the same application with strings instead of messages.
 */
const size = { keys: 10_000, languages: 20, modules: 20 }
const shownPerView = 25
const peer = {
  peer: 'strings',
  peerName: `the same page without messages, vite ${versionOf('vite')}`,
}
const ours = { ours: 'messages', ...peer, goal: { maxRatio: 3 } }

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'first load in development: 500 of 10,000 keys x 20 languages in 20 views',
  claims: [
    { claim: 'dev-load', figure: 'ms', unit: 'ms', ...ours },
    { claim: 'dev-load-requests', figure: 'requests', unit: 'requests', ...ours },
    { claim: 'dev-load-bytes', figure: 'bytes', unit: 'B', ...ours },
  ],
  async prepare({ folder, progress, onEnd }) {
    progress('writing the project')
    const catalog = generateCatalog(size)
    const views = shownByView(catalog, shownPerView)
    const roots = { messages: folder(), strings: folder() }
    await writeSnapshot(roots.messages, catalog)
    await writeDevPage(roots.messages, views, 'messages')
    await writeDevPage(roots.strings, views, 'strings')
    const browser = await launchBrowser()
    onEnd(() => browser.close())
    const expected = expectedTexts(views)

    /** @param {'messages' | 'strings'} kind */
    const load = async (kind) => {
      const root = roots[kind]
      const server = await createServer({
        root,
        configFile: false,
        logLevel: 'error',
        plugins: kind === 'messages' ? [uilm({ root })] : [],
      })
      await server.listen()
      // Each page has its own empty cache.
      const page = await browser.newPage({ locale: catalog.languages[0] ?? '' })
      try {
        const traffic = countTraffic(page)
        const start = performance.now()
        await page.goto(server.resolvedUrls?.local[0] ?? '')
        await page.waitForFunction(() => Reflect.get(globalThis, 'shown'))
        const ms = performance.now() - start
        const shown = await page.evaluate(() => Reflect.get(globalThis, 'shown'))
        if (JSON.stringify(shown) !== JSON.stringify(expected)) {
          throw new Error(`The page with ${kind} does not show its texts`)
        }
        return { ms, ...(await traffic.take()) }
      } finally {
        await page.close()
        await server.close()
      }
    }
    return { messages: () => load('messages'), strings: () => load('strings') }
  },
}
