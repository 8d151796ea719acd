import { gzipSync } from 'node:zlib'
import { buildAndLoad, createInput, stringsOnlyBytes } from './measure.mjs'

/** @param {string} text */
const size = (text) => gzipSync(text, { level: 9 }).length

/**
 * @typedef {{ part: string, bytes: number }} Part
 */

/**
 * Separates the bytes of `firstLoadBytes`, for an application built by vite. The parts of a file
 * are found by removing them from it one after the other.
 *
 * @param {import('./load-page.mjs').Browser} browser
 * @param {import('./apps.mjs').App} app
 * @param {import('./apps.mjs').App} empty
 * @returns {Promise<{ parts: readonly Part[], variants: readonly Part[] }>} `variants`: the same
 *   page with other code for its messages
 * @throws {Error} if the page does not have its bindings in the expected form
 */
export async function firstLoadParts(browser, app, empty) {
  const input = createInput(5)
  const loaded = await buildAndLoad(browser, app, input)
  const without = await buildAndLoad(browser, empty, input)
  const pack = textOf(loaded, /^uilm-/)
  const page = textOf(loaded, /^one/)
  const emptyPage = size(textOf(without, /^one/))
  const strings = stringsOnlyBytes()

  const bindings = [...page.matchAll(binding)]
  if (bindings.length !== input.pages.one?.length) {
    throw new Error(`Found ${bindings.length} bindings in:\n${page}`)
  }
  const [, , create = '', source = ''] = bindings[0] ?? []
  const sameIndex = page.replaceAll(binding, '$1=$2($3,0)')
  const unbound = page.replaceAll(binding, '$1')
  const names = bindings.map(([, name = '']) => name)
  const destructured = unbound.replace(
    names.join(','),
    `[${names.join(',')}]=${create}(${source},${names.length})`,
  )
  const byIndex = unbound
    .replace(`${names.join(',')},`, '')
    .replaceAll(/(?<![\w$.])([\w$]+)(?=\()/g, (name) =>
      names.includes(name) ? `${create}(${names.indexOf(name)})` : name,
    )
  const runtime = sizeOfOthers(loaded) - sizeOfOthers(without)
  const rest = strings + size(pack) - strings + runtime - emptyPage
  return {
    parts: [
      { part: 'pack: the strings, as a JSON array', bytes: strings },
      {
        part: 'pack: `export default`, functions of messages with parameters',
        bytes: size(pack) - strings,
      },
      {
        part: 'page: index of each message in the pack',
        bytes: size(page) - size(sameIndex),
      },
      { part: 'page: binding of each message', bytes: size(sameIndex) - size(unbound) },
      {
        part: 'page: calls of different names, import of the runtime and of the pack',
        bytes: size(unbound) - emptyPage,
      },
      {
        part: 'runtime: languages and their detection, plural rules, loading of packs',
        bytes: runtime,
      },
    ],
    variants: [
      { part: 'as built', bytes: rest + size(page) },
      { part: 'one destructuring for all bindings', bytes: rest + size(destructured) },
      {
        part: 'no bindings: calls by index, which no import can have',
        bytes: rest + size(byIndex),
      },
      { part: 'strings and runtime alone', bytes: strings + runtime },
    ],
  }
}

/** `a=t(n,12)` */
const binding = /([\w$]+)=([\w$]+)\(([\w$]+),(\d+)\)/g

/** @param {import('./load-page.mjs').LoadedPage} loaded @param {RegExp} name */
const textOf = ({ files }, name) => files.find((file) => name.test(file.name))?.text ?? ''

/** Compressed size of the files that are neither page nor pack. @param {import('./load-page.mjs').LoadedPage} loaded */
const sizeOfOthers = ({ files }) =>
  files.reduce((sum, { name, gzip }) => sum + (/^(?:uilm-|one)/.test(name) ? 0 : gzip), 0)
