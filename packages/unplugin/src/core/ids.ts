import { entryNames, type MessageModel } from '@servicekit/catalog'

/** How applications import: `~uilm` is the runtime, `~uilm/<module>` a key module. */
export const runtimeSpecifier = '~uilm'
export const modulePrefix = '~uilm/'
/** What the plugin itself imports: one module per used key, one per pack in development. */
const keyPrefix = '~uilm-key/'
const packPrefix = '~uilm-pack/'
const usedPrefix = '~uilm-used/'
const unknownPrefix = '~uilm-unknown/'
const entryPrefix = '~uilm-entry/'
const resourcesPrefix = '~uilm-i18next/'
/** How bundles of webpack and rspack find the texts of their chunks. */
export const chunksSpecifier = '~uilm-chunks'
/** What development adds to messages: their keys. */
export const inspectorSpecifier = '~uilm-inspector'

/** Names of `~uilm/…` that are no UILM modules: the runtime for frameworks and for servers. */
export type Adapter = Exclude<(typeof entryNames)[number], 'i18next'>

/**
 * What a virtual module stands for.
 *
 * - `runtime`: `~uilm`
 * - `adapter`: `~uilm/react` and the like
 * - `module`: `~uilm/auth`, all keys of a UILM module
 * - `used`: those keys of a UILM module that one file may mean
 * - `key`: one message; what is left of these in a chunk are the chunk's texts
 * - `pack`: all texts of one module in one language, in development
 * - `unknown`: stands in for a key that does not exist, in development
 * - `i18next`: `~uilm/i18next`; `resources`: its texts of one module in one language
 * - `inspector`: shows keys in development
 * - `entry`, `chunks`: what webpack and rspack start with
 */
export type VirtualModule =
  | { readonly kind: 'runtime' }
  | { readonly kind: 'adapter'; readonly adapter: Adapter }
  | { readonly kind: 'module'; readonly module: string }
  | { readonly kind: 'used'; readonly module: string; readonly importer: string }
  | { readonly kind: 'key'; readonly module: string; readonly key: string }
  | { readonly kind: 'pack'; readonly module: string; readonly language: string }
  | { readonly kind: 'unknown'; readonly module: string; readonly key: string }
  | { readonly kind: 'i18next' }
  | { readonly kind: 'resources'; readonly module: string; readonly language: string }
  | { readonly kind: 'entry'; readonly entry: string }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'inspector' }

/** Reads a specifier; undefined where it is none of ours. */
export function parseSpecifier(specifier: string): VirtualModule | undefined {
  if (specifier === runtimeSpecifier) return { kind: 'runtime' }
  if (specifier === chunksSpecifier) return { kind: 'chunks' }
  if (specifier === inspectorSpecifier) return { kind: 'inspector' }
  if (specifier.startsWith(modulePrefix)) {
    const module = specifier.slice(modulePrefix.length)
    const entry = entryNames.find((name) => name === module)
    if (entry === 'i18next') return { kind: 'i18next' }
    return entry ? { kind: 'adapter', adapter: entry } : { kind: 'module', module }
  }
  if (specifier.startsWith(keyPrefix)) {
    const [module, key] = parts(specifier.slice(keyPrefix.length))
    return { kind: 'key', module, key }
  }
  if (specifier.startsWith(unknownPrefix)) {
    const [module, key] = parts(specifier.slice(unknownPrefix.length))
    return { kind: 'unknown', module, key }
  }
  if (specifier.startsWith(packPrefix)) {
    const [language, module] = parts(specifier.slice(packPrefix.length))
    return { kind: 'pack', language, module }
  }
  if (specifier.startsWith(resourcesPrefix)) {
    const [language, module] = parts(specifier.slice(resourcesPrefix.length))
    return { kind: 'resources', language, module }
  }
  if (specifier.startsWith(usedPrefix)) {
    const [module, importer] = parts(specifier.slice(usedPrefix.length))
    return { kind: 'used', module, importer }
  }
  if (specifier.startsWith(entryPrefix)) {
    return { kind: 'entry', entry: decode(specifier.slice(entryPrefix.length)) }
  }
  return undefined
}

const parts = (text: string): [string, string] => {
  const [first = '', second = ''] = text.split('/')
  return [decode(first), decode(second)]
}

/** Specifier of the module of one message: `~uilm-key/auth/SIGN_IN`. */
export function keySpecifier(module: string, message: Pick<MessageModel, 'key'>): string {
  return `${keyPrefix}${encode(module)}/${encode(message.key)}`
}

/** Specifier of the module that stands in for a key which does not exist. */
export function unknownSpecifier(module: string, name: string): string {
  return `${unknownPrefix}${encode(module)}/${encode(name)}`
}

/** Specifier of a pack in development: `~uilm-pack/de-DE/auth`. */
export function packSpecifier(module: string, language: string): string {
  return `${packPrefix}${encode(language)}/${encode(module)}`
}

/** Specifier of the texts of a module in one language, as i18next takes them. */
export function i18nextSpecifier(module: string, language: string): string {
  return `${resourcesPrefix}${encode(language)}/${encode(module)}`
}

/** Specifier of the keys of a module that the file `importer` may mean. */
export function usedSpecifier(module: string, importer: string): string {
  return `${usedPrefix}${encode(module)}/${encode(importer)}`
}

/** Specifier of what stands before an entry of webpack and rspack. */
export const entrySpecifier = (entry: string): string => `${entryPrefix}${encode(entry)}`

/**
 * Finds, in generated code, the calls that the modules of single messages
 * consist of: `message(pack, "~uilm-key/auth/SIGN_IN")`, whatever the bundler
 * has named the two functions and however it quotes. What follows an `@` stands
 * for the texts, so that a bundler that hashes earlier hashes them too.
 */
export const messageCall =
  /([\w$.]+)\(\s*([\w$.]+)\s*,\s*(["'`])(~uilm-key\/[\w+/-]+)(?:@[\da-f]+)?\3\s*\)/g

// Keys may be any text: encoded so that no quote, slash, white space or lone
// surrogate is left, nor a dot that would make another plugin take the key
// `logo.svg` for an image.
const encode = (text: string): string =>
  text.replaceAll(
    /[^\w-]/g,
    (character) => `+${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
const decode = (text: string): string =>
  text.replaceAll(/\+([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

/** Id of a virtual module inside the bundler; the zero keeps other plugins away. */
export function virtualId(specifier: string): string {
  const virtual = parseSpecifier(specifier)
  return `\0${virtual?.kind === 'module' ? modulePrefix + encode(virtual.module) : specifier}`
}

/** The virtual module behind an id that {@link virtualId} made. */
export function virtualOf(id: string): VirtualModule | undefined {
  if (!id.startsWith(`\0${runtimeSpecifier}`)) return undefined
  const virtual = parseSpecifier(id.slice(1))
  return virtual?.kind === 'module' ? { ...virtual, module: decode(virtual.module) } : virtual
}
