import type { MessageModel } from '@servicekit/catalog'

/** How applications import: `~uilm` is the runtime, `~uilm/<module>` a key module. */
export const runtimeSpecifier = '~uilm'
export const modulePrefix = '~uilm/'
/** What the plugin itself imports: one module per used key, one per pack in development. */
const keyPrefix = '~uilm-key/'
const packPrefix = '~uilm-pack/'

/**
 * What a virtual module stands for.
 *
 * - `runtime`: `~uilm`
 * - `react`: `~uilm/react`
 * - `module`: `~uilm/auth`, all keys of a UILM module
 * - `key`: one message; what is left of these in a chunk are the chunk's texts
 * - `pack`: all texts of one module in one language, in development
 */
export type VirtualModule =
  | { readonly kind: 'runtime' }
  | { readonly kind: 'react' }
  | { readonly kind: 'module'; readonly module: string }
  | { readonly kind: 'key'; readonly module: string; readonly key: string }
  | { readonly kind: 'pack'; readonly module: string; readonly language: string }

/** Reads a specifier; undefined where it is none of ours. */
export function parseSpecifier(specifier: string): VirtualModule | undefined {
  if (specifier === runtimeSpecifier) return { kind: 'runtime' }
  if (specifier === `${modulePrefix}react`) return { kind: 'react' }
  if (specifier.startsWith(modulePrefix)) {
    return { kind: 'module', module: specifier.slice(modulePrefix.length) }
  }
  if (specifier.startsWith(keyPrefix)) {
    const [module, key] = parts(specifier.slice(keyPrefix.length))
    return { kind: 'key', module, key }
  }
  if (specifier.startsWith(packPrefix)) {
    const [language, module] = parts(specifier.slice(packPrefix.length))
    return { kind: 'pack', language, module }
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

/** Specifier of a pack in development: `~uilm-pack/de-DE/auth`. */
export function packSpecifier(module: string, language: string): string {
  return `${packPrefix}${encode(language)}/${encode(module)}`
}

/**
 * Finds, in generated code, the calls that the modules of single messages
 * consist of: `message(pack, "~uilm-key/auth/SIGN_IN")`, whatever the bundler
 * has named the two functions and however it quotes.
 */
export const messageCall = /([\w$.]+)\(\s*([\w$.]+)\s*,\s*(["'`])(~uilm-key\/[^"'`\\]+)\3\s*\)/g

// Keys may be any text: encoded so that no quote, slash, white space or lone
// surrogate is left.
const encode = (text: string): string =>
  text.replaceAll(
    /[^\w.-]/g,
    (character) => `+${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
const decode = (text: string): string =>
  text.replaceAll(/\+([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

/** Id of a virtual module inside the bundler; the zero keeps other plugins away. */
export const virtualId = (specifier: string): string => `\0${specifier}`

/** Specifier behind an id that {@link virtualId} made. */
export function specifierOf(id: string): string | undefined {
  return id.startsWith(`\0${runtimeSpecifier}`) ? id.slice(1) : undefined
}
