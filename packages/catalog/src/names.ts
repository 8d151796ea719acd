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
 * Lone surrogates are no legal name, `then` and `default` mean something else.
 */
export function hasStringName(key: string): boolean {
  return key !== 'then' && key !== 'default' && key !== '__proto__' && key.search(loneSurrogate) < 0
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * File name for a language code or module name: what is safe on every file
 * system stays, the rest becomes `%xx`. Never `.`, `..`, a hidden file, a path
 * or a device name of Windows, whatever a service answers.
 */
export function fileNameOf(name: string): string {
  const encoded = encodeURIComponent(name.replaceAll(loneSurrogate, '\ufffd'))
    .replaceAll(/[!'()*~]/g, percent)
    .replace(/^\.|\.$/g, percent)
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(encoded)
    ? percent(encoded[0]!) + encoded.slice(1)
    : encoded
}

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Undoes {@link fileNameOf}. */
export function nameOfFile(fileName: string): string {
  try {
    return decodeURIComponent(fileName)
  } catch {
    return fileName
  }
}

/** Names of `~uilm/…` that are not UILM modules. */
export const reservedModules: ReadonlySet<string> = new Set(['i18next', 'react'])

/** Code-point order, the one order of everything that is emitted. */
export function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
