/**
 * Reads the plugins that Paraglide loads from a CDN from the folder SETUP_CDN, so that no
 * download is measured.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const send = globalThis.fetch
globalThis.fetch = async (url, init) => {
  const [, name, file] =
    /cdn\.jsdelivr\.net\/npm\/(@inlang\/[\w-]+)@[^/]+\/(.*)$/.exec(String(url)) ?? []
  if (!name || !file) return send(url, init)
  const path = join(process.env['SETUP_CDN'] ?? '.', 'node_modules', name, file)
  return new Response(readFileSync(path), { headers: { 'content-type': 'text/javascript' } })
}
