import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * @typedef {object} LanguageBytes
 * @property {string} language
 * @property {number} downloaded bytes of the language packs that the first page loads
 * @property {number} strings bytes of the translations in them alone, in UTF-8
 */

/**
 * Measures what the first page of a built application downloads for each language: the
 * language packs of the chunks that the page loads initially, without those that it imports
 * later.
 *
 * @param {string} dist
 * @returns {Promise<LanguageBytes[]>}
 */
export async function measureFirstPage(dist) {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const entries = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map((match) => match[1] ?? '')
  const chunks = withImports(dist, entries)
  const hashes = [...chunks.values()].flatMap((code) =>
    [...code.matchAll(/\.\/uilm-([0-9a-f]+)\.\$\{/g)].map((match) => match[1]),
  )
  const folder = join(dist, dirname(entries[0] ?? ''))
  const packs = (await readdir(folder)).filter((name) =>
    hashes.some((hash) => name.startsWith(`uilm-${hash}.`)),
  )
  /** @type {Map<string, LanguageBytes>} */
  const found = new Map()
  for (const name of packs.sort()) {
    const [, language = ''] = name.split('.')
    const total = found.get(language) ?? { language, downloaded: 0, strings: 0 }
    const file = join(folder, name)
    total.downloaded += (await readFile(file)).length
    total.strings += stringBytes((await import(pathToFileURL(file).href)).default, language)
    found.set(language, total)
  }
  return [...found.values()]
}

/**
 * Returns chunks and their static imports, by file name.
 *
 * @param {string} dist
 * @param {readonly string[]} entries
 */
function withImports(dist, entries) {
  /** @type {Map<string, string>} */
  const chunks = new Map()
  const add = (/** @type {string} */ name) => {
    if (chunks.has(name)) return
    const code = readFileSync(join(dist, name), 'utf8')
    chunks.set(name, code)
    for (const [, path] of code.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g)) {
      add(join(dirname(name), basename(path ?? '')))
    }
  }
  for (const entry of entries) add(entry)
  return chunks
}

/**
 * Counts the bytes of a pack's translations without the code around them. Messages with
 * parameters are formatted with every parameter empty, plurals once for each of the
 * language's forms.
 *
 * @param {readonly unknown[]} pack
 * @param {string} language
 */
function stringBytes(pack, language) {
  const empty = new Proxy({}, { get: () => '' })
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const texts = pack.map((message) => {
    if (typeof message !== 'function') return [String(message)]
    return new Set(forms.map((form) => String(message(empty, () => form))))
  })
  return texts.flatMap((all) => [...all]).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
