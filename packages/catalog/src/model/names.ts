import { fileNameOf } from '@servicekit/core'

/**
 * Reserved words and other names that a binding cannot have, and `then`: exporting it would make
 * `await import()` of the module call it.
 */
const reserved = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum ' +
    'eval export extends false finally for function if implements import in instanceof interface ' +
    'let new null package private protected public return static super switch then this throw ' +
    'true try typeof undefined var void while with yield'
  ).split(' '),
)

// Tested by code unit, which excludes letters above the basic multilingual plane: engines
// and compilers support different Unicode versions there.
const start = /[_\p{ID_Start}]/u
const rest = /[_\p{ID_Continue}]/u

/**
 * Returns the export name of a key: the key itself if it is a legal identifier, otherwise
 * a unique legal identifier. `$` marks replaced characters and is always escaped itself,
 * so the mapping is reversible:
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
    else if (rest.test(unit)) name += `$$${unit}`
    else name += `$${key.charCodeAt(index).toString(16)}_`
  }
  return name === '' ? '$$' : name
}

/** Returns the key of an export name; the name itself if it is the exact key. */
export function keyOfIdentifier(name: string): string {
  // The last `$` first: an escape ends with `_`, and may stand for a key's own `$`.
  const key = name
    .replace(/^\$\$|\$$/g, '')
    .replaceAll(/\$([\da-f]+)_/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  return identifierOf(key) === name ? key : name
}

/**
 * Returns whether the exact key can also be an export name (`export { a as 'a-b' }`).
 * Lone surrogates are not allowed, `then` and `default` have a special meaning, and
 * `delete$` is already the name of the key `delete`.
 */
export function hasStringName(key: string): boolean {
  return (
    key !== 'then' &&
    key !== 'default' &&
    key !== '__proto__' &&
    !/\p{Surrogate}/u.test(key) &&
    !mayBeNameOfOther(key)
  )
}

/** Returns whether the exact key of a message is a second name of its export. */
export const hasStringExport = ({ name, key }: { readonly name: string; readonly key: string }) =>
  name !== key && hasStringName(key)

/** Names that differ from their keys always contain `$` and are identifiers. */
const mayBeNameOfOther = (key: string): boolean =>
  key.includes('$') && [...key].every((character) => character === '$' || rest.test(character))

/** Names below `~uilm/` that are built-in entries and not modules. */
export const entryNames = [
  'astro',
  'express',
  'hono',
  'i18next',
  'react',
  'react-router',
  'server',
  'solid',
  'solid-start',
  'svelte',
  'sveltekit',
  'vue',
] as const

/**
 * Returns the name of a module in imports and generated files: `~uilm/<import name>`.
 *
 * | module | import name |
 * |---|---|
 * | `auth`, `my texts`, `größe` | the same |
 * | `shop/cart` | the same: declarations are in a folder `shop` |
 * | `server`, `React` (a built-in entry) | `server$`, `React$` |
 * | `runtime` (the file of `~uilm` that `compile` writes) | `runtime$` |
 * | `shop/messages` (the lookup of `shop`) | `shop/messages$` |
 * | `a:b`, `..` | percent-encoded: `a%3Ab`, `%2E%2E` |
 *
 * TypeScript resolves `~uilm/my texts` by exactly that name, so letters of any script and
 * inner spaces are kept. Names are unique: a `$` in the name of a module is always
 * encoded.
 */
export function importNameOf(module: string): string {
  const segments = module.split('/')
  const name = segments.map(segmentNameOf).join('/')
  // File systems also limit the length of paths.
  if (name.length > 180) return fileNameOf(module)
  const isTaken =
    segments.length === 1
      ? isEntryName(module.toLowerCase()) || module.toLowerCase() === runtimeName
      : segments.at(-1)!.toLowerCase() === lookupName
  return isTaken ? `${name}$` : name
}

/** Name of the file of `~uilm` among those of a compiled program. */
export const runtimeName = 'runtime'

/** Returns the import specifier of a module: `~uilm/auth`. */
export const specifierOf = (module: string): string => `~uilm/${importNameOf(module)}`

/** Last segment of the specifier of a lookup: `~uilm/auth/messages`. */
export const lookupName = 'messages'

/**
 * Returns the module imported by `~uilm/<name>`. Bundlers also accept the exact name of a
 * module; its import name takes precedence.
 */
export function findByImportName<M extends { readonly name: string }>(
  modules: readonly M[],
  name: string,
): M | undefined {
  if (isEntryName(name)) return undefined
  let byName = modulesByName.get(modules) as ReadonlyMap<string, M> | undefined
  if (!byName) {
    byName = new Map([
      ...modules.map((module) => [module.name, module] as const),
      ...modules.map((module) => [importNameOf(module.name), module] as const),
    ])
    modulesByName.set(modules, byName)
  }
  return byName.get(name)
}

/** Modules by name and by import name, because every import of an application looks one up. */
const modulesByName = new WeakMap<object, ReadonlyMap<string, unknown>>()

/** Returns whether `~uilm/<name>` is a built-in entry. */
export const isEntryName = (name: string): boolean => entryNames.some((entry) => entry === name)

function segmentNameOf(segment: string): string {
  const fileName = fileNameOf(segment)
  const isPlain = /^[\p{L}\p{N}_-](?:[\p{L}\p{M}\p{N} _.-]*[\p{L}\p{M}\p{N}_-])?$/u.test(segment)
  // Excludes names that are too long and device names, where more than single characters
  // changed.
  return isPlain && fileName === encodeURIComponent(segment) ? segment : fileName
}
