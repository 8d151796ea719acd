/**
 * JavaScript words that cannot name a binding, and `then`, whose export would
 * make `await import()` of the module call it.
 */
const reserved = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum ' +
    'eval export extends false finally for function if implements import in instanceof interface ' +
    'let new null package private protected public return static super switch then this throw ' +
    'true try typeof undefined var void while with yield'
  ).split(' '),
)

// Tested by code unit, so that letters above the basic plane are left out:
// engines and compilers differ in the Unicode version that they know there.
const start = /^[_\p{ID_Start}]$/u
const rest = /^[_\p{ID_Continue}]$/u

/**
 * Name under which a key is exported: the key itself where it is a legal
 * identifier, else a legal one that no other key has. `$` marks what was
 * changed and is itself always escaped, so the map can be undone:
 *
 * | key | name |
 * |---|---|
 * | `SIGN_IN`, `größe` | the same |
 * | `sort-by-price` | `sort$2d_by$2d_price` |
 * | `404_TITLE` | `$$404_TITLE` |
 * | `delete` | `delete$` |
 */
export function identifierOf(key: string): string {
  if (reserved.has(key)) return `${key}$`
  if (/^[A-Za-z_]\w*$/.test(key)) return key
  let name = ''
  for (let index = 0; index < key.length; index++) {
    const unit = key[index]!
    const legal = index === 0 ? start.test(unit) : rest.test(unit)
    if (legal) name += unit
    else if (index === 0 && rest.test(unit)) name += `$$${unit}`
    else name += `$${key.charCodeAt(index).toString(16)}_`
  }
  return name === '' ? '$$' : name
}

/**
 * Whether the exact key can also be an export name (`export { a as 'a-b' }`).
 * Lone surrogates are no legal name, `then` and `default` mean something else,
 * and `delete$` is already the name of the key `delete`.
 */
export function hasStringName(key: string): boolean {
  return (
    key !== 'then' &&
    key !== 'default' &&
    key !== '__proto__' &&
    key.search(loneSurrogate) < 0 &&
    !mayBeNameOfOther(key)
  )
}

/** Only names with a `$` differ from their keys, and all of them are identifiers. */
const mayBeNameOfOther = (key: string): boolean =>
  key.includes('$') && [...key].every((character) => character === '$' || rest.test(character))

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * File name for a language code or module name: what is safe on every file
 * system stays, the rest becomes `%xx`. Never nothing, `.`, `..`, a hidden file,
 * a path, a device name of Windows or too long, whatever a service answers.
 */
export function fileNameOf(name: string): string {
  const encoded = encodeURIComponent(name.replaceAll(loneSurrogate, '\ufffd'))
    .replaceAll(/[!'()*~]/g, percent)
    .replace(/^\.|\.$/g, percent)
  if (encoded === '') return '%'
  // File systems end a name at 255 bytes, and a suffix has to find room.
  const short = encoded.length > 180 ? `${encoded.slice(0, 150)}%~${fingerprint(name)}` : encoded
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short)
    ? percent(short[0]!) + short.slice(1)
    : short
}

/** Names below `~uilm/` that are entries of the toolkit and not modules. */
export const entryNames = ['i18next', 'react', 'server', 'solid', 'svelte', 'vue'] as const

/**
 * Name of a module in imports and in generated files: `~uilm/<import name>`.
 *
 * | module | import name |
 * |---|---|
 * | `auth`, `my texts`, `größe` | the same |
 * | `shop/cart` | the same: declarations are in a folder `shop` |
 * | `server`, `React` (an entry of the toolkit) | `server$`, `React$` |
 * | `shop/messages` (the lookup of `shop`) | `shop/messages$` |
 * | `a:b`, `..` | percent-encoded: `a%3Ab`, `%2E%2E` |
 *
 * TypeScript looks for `~uilm/my texts` under exactly that name, so letters and
 * inner spaces of any script stay. No two modules share a name: `$` is always
 * encoded in the name of a module itself.
 */
export function importNameOf(module: string): string {
  const segments = module.split('/')
  const name = segments.map(segmentNameOf).join('/')
  // File systems limit a path too.
  if (segments.length > 1 && name.length > 180) return fileNameOf(module)
  const isTaken =
    segments.length === 1
      ? isEntryName(module.toLowerCase())
      : segments.at(-1)!.toLowerCase() === lookupName
  return isTaken ? `${name}$` : name
}

/** Specifier that a module is imported by: `~uilm/auth`. */
export const specifierOf = (module: string): string => `~uilm/${importNameOf(module)}`

/** Last part of the specifier of a lookup: `~uilm/auth/messages`. */
export const lookupName = 'messages'

/**
 * The module that is imported by `~uilm/<name>`. Bundlers accept the exact name of a
 * module too; its import name takes precedence.
 */
export const findByImportName = <M extends { readonly name: string }>(
  modules: readonly M[],
  name: string,
): M | undefined =>
  isEntryName(name)
    ? undefined
    : (modules.find((module) => importNameOf(module.name) === name) ??
      modules.find((module) => module.name === name))

/** Whether `~uilm/<name>` is an entry of the toolkit. */
export const isEntryName = (name: string): boolean => entryNames.some((entry) => entry === name)

function segmentNameOf(segment: string): string {
  const fileName = fileNameOf(segment)
  const isPlain = /^[\p{L}\p{N}_-](?:[\p{L}\p{M}\p{N} _.-]*[\p{L}\p{M}\p{N}_-])?$/u.test(segment)
  // Of a name that is too long, or a device's, more was changed than letters.
  return isPlain && fileName === encodeURIComponent(segment) ? segment : fileName
}

/** 16 hexadecimal digits (two FNV-1a sums), for names that differ where they were cut. */
function fingerprint(text: string): string {
  const sum = (seed: number): string => {
    let hash = seed
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
    }
    return (hash >>> 0).toString(16).padStart(8, '0')
  }
  return sum(0x811c9dc5) + sum(0x1b873593)
}

/**
 * Two names that would share a file where case is ignored, as on most laptops;
 * undefined where all differ.
 */
export function fileClash(names: readonly string[]): readonly [string, string] | undefined {
  const taken = new Map<string, string>()
  for (const name of names) {
    const file = fileNameOf(name).toLowerCase()
    const twin = taken.get(file)
    if (twin !== undefined && twin !== name) return [twin, name]
    taken.set(file, name)
  }
  return undefined
}

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Code-point order, the one order of everything that is emitted. */
export function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
