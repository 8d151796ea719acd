import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** @typedef {Awaited<ReturnType<typeof import('@servicekit/testing/browser').launchBrowser>>} Browser */

/**
 * Strings that a page shows, and the files that the browser requested for it.
 *
 * @typedef {object} LoadedPage
 * @property {readonly string[]} shown
 * @property {readonly { name: string, text: string, gzip: number }[]} files
 */

/**
 * Loads `dist/main.js` in a browser. The files that the browser really requests count, not
 * those that a manifest lists.
 *
 * @param {Browser} browser
 * @param {string} root
 * @param {string} name
 * @returns {Promise<LoadedPage>}
 */
export async function loadPage(browser, root, name) {
  const dist = join(root, 'dist')
  const built = new Set(
    readdirSync(dist, { recursive: true }).map((file) => String(file).replaceAll('\\', '/')),
  )
  /** @type {Set<string>} */
  const requested = new Set()
  const server = createServer((request, response) => {
    const file = decodeURIComponent(new URL(request.url ?? '', 'http://page').pathname).slice(1)
    if (file === '') return response.setHeader('content-type', 'text/html').end(document(name))
    if (!built.has(file)) return response.writeHead(404).end()
    requested.add(file)
    const type = file.endsWith('.js') ? 'text/javascript' : 'application/json'
    return response.setHeader('content-type', type).end(readFileSync(join(dist, file)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const page = await browser.newPage()
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    /** @type {(shown: readonly string[]) => void} */
    let resolve = () => {}
    /** @type {Promise<readonly string[]>} */
    const rendered = new Promise((done, reject) => {
      resolve = done
      page.on('pageerror', reject)
    })
    await page.exposeFunction('show', (/** @type {readonly string[]} */ shown) => resolve(shown))
    await page.goto(`http://127.0.0.1:${port}/`)
    const shown = await rendered
    const files = [...requested].sort().map((file) => {
      const content = readFileSync(join(dist, file))
      return {
        name: file,
        text: content.toString('utf8'),
        gzip: gzipSync(content, { level: 9 }).length,
      }
    })
    return { shown, files }
  } finally {
    await page.close()
    server.closeAllConnections()
    server.close()
  }
}

/**
 * Returns the downloaded bytes, with each file compressed separately as a server sends it.
 *
 * @param {LoadedPage} loaded
 */
export const downloadedBytes = ({ files }) => files.reduce((sum, { gzip }) => sum + gzip, 0)

/** @param {string} page */
const document = (page) => `<!doctype html><html lang="en"><title>${page}</title>
<script>page = '${page}'; nothing = () => ''</script>
<script type="module" src="/main.js"></script></html>`
