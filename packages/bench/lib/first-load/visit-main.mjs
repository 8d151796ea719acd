/**
 * Entry of the process that `visitPage` starts: loads an application as a browser would and
 * reports the loaded files and the shown texts.
 */
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { MessageChannel } from 'node:worker_threads'

const [, , entry = '', page = ''] = process.argv
const dist = dirname(dirname(entry))
/** @type {Set<string>} */
const loaded = new Set()

const { port1, port2 } = new MessageChannel()
port1.on('message', (url) => loaded.add(fileURLToPath(url)))
register(new URL('./visit-hooks.mjs', import.meta.url), {
  data: { port: port2 },
  transferList: [port2],
})

const scope = /** @type {any} */ (globalThis)
scope.page = page
scope.nothing = () => ''
scope.fetch = async (/** @type {string} */ path) => {
  const file = join(dist, path)
  loaded.add(file)
  const text = await readFile(file, 'utf8')
  return { ok: true, json: async () => JSON.parse(text) }
}
scope.show = (/** @type {readonly string[]} */ shown) => {
  // The last messages from the hooks' thread arrive after this turn of the event loop.
  setTimeout(() => {
    const files = [...loaded].map((file) => relative(dist, file)).sort()
    process.send?.({ files, shown }, () => process.exit(0))
  }, 50)
}
await import(pathToFileURL(entry).href)
