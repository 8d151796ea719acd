import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPlatform } from '@servicekit/platform/node'
import { uilm } from '@servicekit/unplugin/vite'
import { launchBrowser } from '@servicekit/testing/browser'
import { createServer } from 'vite'
import { versionOf } from '../lib/peers.mjs'

/**
 * Time until an open page shows a translation that was changed on the platform: from
 * sending the edit to the change in the page, so that the platform's own work is included.
 * The floor is Vite's hot update of a file on this disk in the same page.
 *
 * Each round makes 20 edits of each kind sequentially and takes their 95th percentile. The
 * page's state is checked after the last one.
 */
const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const editsPerRound = 20

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'time until an open page shows a translation changed on the platform',
  claims: [
    {
      claim: 'remote-edit',
      figure: 'p95',
      unit: 'ms',
      ours: 'edit on the platform',
      peer: 'edit of a file',
      peerName: `hot update of a file, vite ${versionOf('vite')}`,
      goal: { maxRatio: 20 },
    },
  ],
  async prepare({ folder, progress, onEnd }) {
    progress('starting platform, server and browser')
    const platform = await startPlatform({ projectDir: storefront })
    onEnd(platform.close)
    const root = folder()
    const control = `${platform.baseUrl}/_platform/projects/${platform.projectKeys[0]}`
    const local = await writePage(root)
    const server = await createServer({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [
        uilm({
          root,
          baseUrl: platform.baseUrl,
          projectKey: platform.projectKeys[0] ?? '',
          pollMs: 0,
        }),
      ],
    })
    await server.listen()
    onEnd(() => server.close())
    const url = server.resolvedUrls?.local[0] ?? ''

    const browser = await launchBrowser()
    onEnd(() => browser.close())
    const page = await browser.newPage()
    /** @type {(text: string) => void} */
    let onChange = () => {}
    await page.exposeFunction('reportChange', (/** @type {string} */ text) => onChange(text))
    await page.goto(url)
    await page.waitForFunction(() => Reflect.get(globalThis, 'isReady'))
    await page.fill('input', 'half-filled')

    let edits = 0
    /** @param {(text: string) => Promise<void>} change */
    const measure = async (change) => {
      const times = []
      for (let index = 0; index < editsPerRound; index++) {
        const text = `Edit ${++edits}`
        const shown = new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
          onChange = (found) => {
            if (found === text) resolve()
          }
        })
        // File watchers ignore a change that follows too soon after another.
        await setTimeout(150)
        const start = performance.now()
        await change(text)
        await Promise.race([shown, rejectAfterTimeout(text)])
        times.push(performance.now() - start)
      }
      if ((await page.inputValue('input')) !== 'half-filled')
        throw new Error('The page was reloaded')
      return { p95: percentile(times, 0.95) }
    }
    return {
      'edit on the platform': () =>
        measure((value) =>
          send('PUT', `${control}/texts`, [
            { language: 'en-US', module: 'catalog', key: 'PRODUCTS_HEADING', value },
          ]),
        ),
      'edit of a file': () => measure(async (value) => writeFileSync(local, localModule(value))),
    }
  },
}

/** @param {string} text @returns {Promise<never>} */
async function rejectAfterTimeout(text) {
  await setTimeout(10_000, undefined, { ref: false })
  throw new Error(`The page did not show "${text}" within 10 s`)
}

/** @param {readonly number[]} values @param {number} part */
const percentile = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN

/** @param {string} method @param {string} url @param {unknown} body */
async function send(method, url, body) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${url} responded with ${response.status}`)
}

/** @param {string} text */
const localModule = (
  text,
) => `document.querySelector('#local').textContent = ${JSON.stringify(text)}
import.meta.hot.accept()
`

/**
 * Writes a page that shows a message and a local text, and reports when one of them changes.
 *
 * @param {string} root
 * @returns {Promise<string>} the file that is edited
 */
async function writePage(root) {
  await mkdir(join(root, 'src'))
  const local = join(root, 'src', 'local.js')
  writeFileSync(local, localModule('Edit 0'))
  writeFileSync(
    join(root, 'index.html'),
    '<h1></h1><p id="local"></p><input><script type="module" src="/src/main.js"></script>',
  )
  writeFileSync(
    join(root, 'src', 'main.js'),
    `import { PRODUCTS_HEADING } from '~uilm/catalog'
import { subscribe } from '~uilm'
import './local.js'

const heading = document.querySelector('h1')
const show = () => { heading.textContent = PRODUCTS_HEADING() }
show()
subscribe(show)
new MutationObserver((changes) => {
  for (const { target } of changes) globalThis.reportChange(target.textContent)
}).observe(document.body, { childList: true, subtree: true })
globalThis.isReady = true
`,
  )
  return local
}
