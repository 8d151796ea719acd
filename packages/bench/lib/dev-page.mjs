import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printArgument } from './generate-catalog.mjs'

/** @typedef {import('./generate-catalog.mjs').GeneratedCatalog} GeneratedCatalog */
/** @typedef {import('./generate-catalog.mjs').GeneratedMessage} Message */
/** @typedef {Awaited<ReturnType<typeof import('@servicekit/testing/browser').launchBrowser>>} Browser */
/** @typedef {Awaited<ReturnType<Browser['newPage']>>} Page */

/**
 * Messages that each view shows. There is one view for each module.
 *
 * @param {GeneratedCatalog} catalog
 * @param {number} count
 */
export const shownByView = ({ modules, messages }, count) =>
  modules.map((name) => messages.filter(({ module }) => module === name).slice(0, count))

/**
 * Writes an application whose page shows all views, with messages or with plain strings.
 *
 * @param {string} root
 * @param {readonly (readonly Message[])[]} views
 * @param {'messages' | 'strings'} kind
 */
export async function writeDevPage(root, views, kind) {
  const hasMessages = kind === 'messages'
  await mkdir(join(root, 'src'), { recursive: true })
  await writeFile(join(root, 'package.json'), '{"type": "module"}\n')
  await writeFile(
    join(root, 'index.html'),
    `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"></head>
<body><h1></h1><p id="local"></p><input><script type="module" src="/src/main.js"></script></body></html>`,
  )
  for (const [index, shown] of views.entries()) {
    const texts = shown.map((message) =>
      hasMessages
        ? `${message.key}(${printArgument(message, (name) => `'${name}?'`)})`
        : JSON.stringify(plainText(message)),
    )
    const imports = `import { ${shown.map(({ key }) => key).join(', ')} } from '~uilm/${shown[0]?.module}'\n`
    await writeFile(
      join(root, 'src', `view-${index}.js`),
      `${hasMessages ? imports : ''}export const render = () => [\n${texts.map((text) => `  ${text},\n`).join('')}]\n`,
    )
  }
  const imports = views.map(
    (_, index) => `import { render as view${index} } from './view-${index}.js'\n`,
  )
  await writeFile(
    join(root, 'src', 'main.js'),
    `${hasMessages ? `import { subscribe } from '~uilm'\n` : ''}${imports.join('')}import './local.js'

const views = [${views.map((_, index) => `view${index}`).join(', ')}]
const heading = document.querySelector('h1')
const show = () => {
  const shown = views.flatMap((view) => view())
  heading.textContent = shown[0]
  globalThis.shown = shown
}
new MutationObserver((changes) => {
  for (const { target } of changes) globalThis.reportChange?.(target.textContent, Date.now())
}).observe(document.body, { childList: true, subtree: true })
show()
${hasMessages ? 'subscribe(show)\n' : ''}`,
  )
  await writeFile(join(root, 'src', 'local.js'), localModule('Edit 0'))
  return { local: join(root, 'src', 'local.js') }
}

/** Text of a plain module that updates itself. @param {string} text */
export const localModule = (
  text,
) => `document.querySelector('#local').textContent = ${JSON.stringify(text)}
import.meta.hot.accept()
`

/** @param {Message} message */
const plainText = ({ translations }) =>
  (Object.values(translations)[0] ?? '').replaceAll(/\{\{(\w+)\}\}/g, '$1?')

/**
 * Returns the strings that the page must show.
 *
 * @param {readonly (readonly Message[])[]} views
 */
export const expectedTexts = (views) => views.flat().map(plainText)

/**
 * Counts what a page receives: the bodies of responses, and the messages of web sockets.
 *
 * @param {Page} page
 */
export function countTraffic(page) {
  /** @type {Promise<void>[]} */
  const bodies = []
  const total = { requests: 0, bytes: 0 }
  page.on('requestfinished', (request) => {
    if (request.url().startsWith('data:')) return
    total.requests++
    bodies.push(
      (async () => {
        const { responseBodySize } = await request.sizes()
        total.bytes += responseBodySize
      })(),
    )
  })
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => void (total.bytes += payload.length)),
  )
  return {
    /** Returns the totals since the last call. */
    async take() {
      await page.waitForLoadState('networkidle')
      await Promise.all(bodies.splice(0))
      const { ...taken } = total
      total.requests = total.bytes = 0
      return taken
    },
  }
}
