import { type AdapterName, entryNames, type MessageModel } from '@servicekit/catalog'
import { type CompilerRuntime, isCompilerRuntime } from './react-compiler.ts'

/**
 * Specifiers used by applications: `~uilm` is the runtime, `~uilm/<module>` a key module.
 */
export const runtimeSpecifier = '~uilm'
export const modulePrefix = '~uilm/'
/** Specifier of the module that loads the packs of chunks in webpack and rspack. */
export const chunksSpecifier = '~uilm-chunks'
/** Specifier of the development module that maps messages to their keys. */
export const inspectorSpecifier = '~uilm-inspector'
/** Specifier of the development module with the form for unknown keys. */
export const formSpecifier = '~uilm-form'
/** Specifier of the module that renders messages with tags in React. */
export const markupSpecifier = '~uilm-markup'

/**
 * Kinds of virtual modules.
 *
 * - `runtime`: `~uilm`
 * - `adapter`: `~uilm/react` and the like
 * - `module`: `~uilm/auth`, all keys of a UILM module
 * - `used`: the keys of a UILM module that one file may use
 * - `key`: one message. Those that remain in a chunk determine the packs of the chunk.
 * - `imported`: the keys of a UILM module that a file imports, in development
 * - `pack`: the translations of one module in one language, or of some of its messages, in
 *   development
 * - `edit`: some of these translations, after they changed
 * - `unknown`: replaces a key that does not exist, in development
 * - `extended`: a UILM module with replacements for keys that do not exist, in development
 * - `i18next`: `~uilm/i18next`; `resources`: its translations of one module in one
 *   language
 * - `inspector`: shows keys in development
 * - `form`: creates unknown keys in development
 * - `markup`: renders messages with tags in React
 * - `compiler`: empties the caches of React Compiler
 * - `entry`, `chunks`: start modules of webpack and rspack
 */
export type VirtualModule =
  | { readonly kind: 'runtime' }
  | { readonly kind: 'adapter'; readonly adapter: AdapterName }
  | { readonly kind: 'module'; readonly module: string }
  | { readonly kind: 'used'; readonly module: string; readonly importer: string }
  | { readonly kind: 'key'; readonly module: string; readonly key: string }
  | { readonly kind: 'imported'; readonly module: string; readonly names: readonly string[] }
  | {
      readonly kind: 'pack'
      readonly module: string
      readonly language: string
      /** Names of the messages; all if there are none. */
      readonly names: readonly string[]
    }
  | {
      readonly kind: 'edit'
      readonly module: string
      readonly language: string
      readonly names: readonly string[]
    }
  | { readonly kind: 'unknown'; readonly module: string; readonly key: string }
  | { readonly kind: 'extended'; readonly module: string; readonly keys: readonly string[] }
  | { readonly kind: 'i18next' }
  | { readonly kind: 'resources'; readonly module: string; readonly language: string }
  | { readonly kind: 'entry'; readonly entry: string }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'inspector' }
  | { readonly kind: 'form' }
  | { readonly kind: 'markup' }
  | { readonly kind: 'compiler'; readonly runtime: CompilerRuntime }

/** Parses a specifier; undefined if it is not one of the plugin. */
export function parseSpecifier(specifier: string): VirtualModule | undefined {
  if (specifier === runtimeSpecifier) return { kind: 'runtime' }
  if (specifier.startsWith(modulePrefix)) {
    const module = specifier.slice(modulePrefix.length)
    const entry = entryNames.find((name) => name === module)
    if (entry === 'i18next') return { kind: 'i18next' }
    return entry ? { kind: 'adapter', adapter: entry } : { kind: 'module', module }
  }
  const [, kind, path = ''] = /^~uilm-(\w+)(?:\/(.*))?$/.exec(specifier) ?? []
  const [first = '', second = '', ...rest] = path.split('/').map(decode)
  switch (kind) {
    case 'key':
    case 'unknown':
      return { kind, module: first, key: second }
    case 'resources':
      return { kind, language: first, module: second }
    case 'imported':
      return { kind, module: first, names: [second, ...rest] }
    case 'pack':
    case 'edit':
      return { kind, language: first, module: second, names: rest }
    case 'used':
      return { kind, module: first, importer: second }
    case 'extended':
      return { kind, module: first, keys: [second, ...rest] }
    case 'entry':
      return { kind, entry: first }
    case 'compiler':
      return isCompilerRuntime(first) ? { kind, runtime: first } : undefined
    case 'chunks':
    case 'form':
    case 'inspector':
    case 'markup':
      return { kind }
    default:
      return undefined
  }
}

const internalSpecifier = (kind: VirtualModule['kind'], ...parts: readonly string[]): string =>
  `~uilm-${kind}/${parts.map(encode).join('/')}`

/** Returns the specifier of the module of one message: `~uilm-key/auth/SIGN_IN`. */
export const keySpecifier = (module: string, { key }: Pick<MessageModel, 'key'>): string =>
  internalSpecifier('key', module, key)

/**
 * Returns the module and key of a specifier of {@link keySpecifier}.
 *
 * @throws TypeError for any other specifier.
 */
export function keyOf(specifier: string): readonly [module: string, key: string] {
  const virtual = parseSpecifier(specifier)
  if (virtual?.kind !== 'key') throw new TypeError(`${specifier} names no key`)
  return [virtual.module, virtual.key]
}

/** Returns the specifier of the module that replaces an unknown key. */
export const unknownSpecifier = (module: string, name: string): string =>
  internalSpecifier('unknown', module, name)

/** Returns the specifier of a module with replacements for unknown keys. */
export const extendedSpecifier = (module: string, names: readonly string[]): string =>
  internalSpecifier('extended', module, ...names)

/**
 * Returns the specifier of the keys that a file imports: `~uilm-imported/auth/SIGN_IN/SIGN_OUT`.
 */
export const importedSpecifier = (module: string, names: readonly string[]): string =>
  internalSpecifier('imported', module, ...names)

/** Returns the specifier of a pack in development: `~uilm-pack/de-DE/auth`. */
export const packSpecifier = (module: string, language: string): string =>
  internalSpecifier('pack', language, module)

/** Returns the specifier of the translations of some messages of a pack. */
export const editSpecifier = (module: string, language: string, names: Iterable<string>): string =>
  internalSpecifier('edit', language, module, ...names)

/** Returns the specifier of the i18next resources of a module in one language. */
export const i18nextSpecifier = (module: string, language: string): string =>
  internalSpecifier('resources', language, module)

/** Returns the specifier of the keys of a module that the file `importer` may use. */
export const usedSpecifier = (module: string, importer: string): string =>
  internalSpecifier('used', module, importer)

/** Returns the specifier of the module that replaces a runtime of React Compiler. */
export const compilerSpecifier = (runtime: CompilerRuntime): string =>
  internalSpecifier('compiler', runtime)

/** Returns the specifier of the module that precedes an entry of webpack and rspack. */
export const entrySpecifier = (entry: string): string => internalSpecifier('entry', entry)

/**
 * Matches the calls in generated code that create single messages:
 * `message(pack, "~uilm-key/auth/SIGN_IN")`, with any function names and quotes. The part
 * after `@` is a hash of the translations, for bundlers that hash earlier.
 */
export const messageCall =
  /([\w$.]+)\(\s*([\w$.]+)\s*,\s*(["'`])(~uilm-key\/[\w+/-]+)(?:@[\da-f]+)?\3\s*\)/g

// Keys may be any text. The encoding removes quotes, slashes, white space, lone
// surrogates and dots. A dot could make another plugin treat the key `logo.svg` as an
// image.
export const encode = (text: string): string =>
  text.replaceAll(
    /[^\w-]/g,
    (character) => `+${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
const decode = (text: string): string =>
  text.replaceAll(/\+([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

/**
 * Returns the id of a virtual module in the bundler. The leading zero byte keeps other
 * plugins from handling it.
 */
export function virtualId(specifier: string): string {
  const virtual = parseSpecifier(specifier)
  return `\0${virtual?.kind === 'module' ? modulePrefix + encode(virtual.module) : specifier}`
}

/** Parses an id created by {@link virtualId}. */
export function virtualOf(id: string): VirtualModule | undefined {
  if (!id.startsWith(`\0${runtimeSpecifier}`)) return undefined
  const virtual = parseSpecifier(id.slice(1))
  return virtual?.kind === 'module' ? { ...virtual, module: decode(virtual.module) } : virtual
}
