import { entryNames, isRuntimeFile, type MessageModel, type RuntimeFile } from '@servicekit/catalog'
import type { CompilerRuntime } from './react-compiler.ts'

/**
 * Specifiers used by applications: `~uilm` is the runtime, `~uilm/<module>` a key module.
 */
export const runtimeSpecifier = '~uilm'
export const modulePrefix = '~uilm/'
/** Prefix of the specifiers of the files that load the packs of chunks in webpack and rspack. */
export const webpackPrefix = '~uilm-webpack/'
/** Specifier of the module that loads the packs of chunks. */
export const chunksSpecifier = `${webpackPrefix}chunks.js`
/** Prefix of the specifiers of the files that replace a runtime of React Compiler. */
export const compilerPrefix = '~uilm-compiler/'
/** Prefix of the specifiers of the files of the runtime. */
export const runtimePrefix = '~uilm-runtime/'
/** Prefix of the specifiers of the files that pages load only in development. */
export const devPrefix = '~uilm-dev/'
/** Specifier of the development module that maps messages to their keys. */
export const inspectorSpecifier = `${devPrefix}inspector.js`
/** Specifier of the development module with the form for unknown keys. */
export const formSpecifier = `${devPrefix}key-form.js`
/** Specifier of the module that renders messages with tags in React. */
export const markupSpecifier = `${runtimePrefix}react-markup.js`
/** Specifier of the module that loads packs with live updates. */
export const liveSpecifier = `${runtimePrefix}live.js`

/**
 * Kinds of virtual modules.
 *
 * - `runtime`: `~uilm`
 * - `file`: a file of the runtime, like `~uilm-runtime/changes.js`, and `~uilm/react` and the like
 * - `project`, `i18next-resources`: what files of the runtime import of the project
 * - `module`: `~uilm/auth`, all keys of a UILM module
 * - `used`: the keys of a UILM module that one file may use
 * - `key`: one message. Those that remain in a chunk determine the packs of the chunk.
 * - `imported`: the keys of a UILM module that a file imports, in development
 * - `pack`: the translations of one module in one language, or of some of its messages, in
 *   development
 * - `edit`: some of these translations, after they changed
 * - `unknown`: replaces a key that does not exist, in development
 * - `extended`: a UILM module with replacements for keys that do not exist, in development
 * - `resources`: the translations of one module in one language for i18next
 * - `dev`: a file that pages load only in development, or its settings
 * - `compiler`: empties the caches of React Compiler
 * - `webpack`: a file that loads packs in webpack and rspack; `entry`: their start modules
 */
export type VirtualModule =
  | { readonly kind: 'runtime' }
  | { readonly kind: 'file'; readonly name: RuntimeFile }
  | { readonly kind: 'project' }
  | { readonly kind: 'i18next-resources' }
  | { readonly kind: 'dev'; readonly name: DevFile }
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
  | { readonly kind: 'resources'; readonly module: string; readonly language: string }
  | { readonly kind: 'entry'; readonly entry: string }
  | { readonly kind: 'webpack'; readonly name: WebpackFile }
  | { readonly kind: 'compiler'; readonly name: CompilerFile }

/** Parses a specifier; undefined if it is not one of the plugin. */
export function parseSpecifier(specifier: string): VirtualModule | undefined {
  if (specifier === runtimeSpecifier) return { kind: 'runtime' }
  if (specifier.startsWith(modulePrefix)) {
    const module = specifier.slice(modulePrefix.length)
    const name = entryNames.find((entry) => entry === module)
    return name ? { kind: 'file', name } : { kind: 'module', module }
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
      return fileOf(kind, compilerFiles, first)
    case 'runtime':
      return parseRuntimeFile(first)
    case 'dev':
      return fileOf(kind, devFiles, first)
    case 'webpack':
      return fileOf(kind, webpackFiles, first)
    default:
      return undefined
  }
}

function parseRuntimeFile(file: string): VirtualModule | undefined {
  const name = file.replace(/\.js$/, '')
  if (name === 'runtime' || name === 'project' || name === 'i18next-resources') {
    return { kind: name }
  }
  return isRuntimeFile(name) ? { kind: 'file', name } : undefined
}

const devFiles = ['console-frame', 'inspector', 'key-form', 'settings', 'shown-keys'] as const

/** File that pages load only in development, or its settings. */
export type DevFile = (typeof devFiles)[number]

const webpackFiles = ['chunks', 'load-pack', 'base'] as const
/** File that loads packs in webpack and rspack. */
export type WebpackFile = (typeof webpackFiles)[number]

const compilerFiles = ['cache', 'react', 'package'] as const
/** File that replaces a runtime of React Compiler. */
type CompilerFile = (typeof compilerFiles)[number]

function fileOf<Kind extends string, Name extends string>(
  kind: Kind,
  names: readonly Name[],
  file: string,
): { readonly kind: Kind; readonly name: Name } | undefined {
  const name = names.find((one) => `${one}.js` === file)
  return name && { kind, name }
}

/**
 * Returns the code of a file of a folder with its imports of other files of the folder, like
 * `./changes.js`, as specifiers.
 */
export const withSpecifiers = (code: string, prefix: string): string =>
  code.replaceAll("from './", `from '${prefix}`)

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
  `${compilerPrefix}${runtime === 'react/compiler-runtime' ? 'react' : 'package'}.js`

/** Returns the specifier of the module that precedes an entry of webpack and rspack. */
export const entrySpecifier = (entry: string): string => internalSpecifier('entry', entry)

/** Prefix of the specifiers of {@link keySpecifier}. */
export const keyPrefix = '~uilm-key/'

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
  switch (virtual?.kind) {
    case 'module':
      return `\0${modulePrefix}${encode(virtual.module)}`
    // A file has one id, whether an application imports it or another file.
    case 'file':
      return `\0${runtimePrefix}${virtual.name}`
    case 'runtime':
      return `\0${runtimeSpecifier}`
    default:
      return `\0${specifier}`
  }
}

/** Parses an id created by {@link virtualId}. */
export function virtualOf(id: string): VirtualModule | undefined {
  if (!id.startsWith(`\0${runtimeSpecifier}`)) return undefined
  const virtual = parseSpecifier(id.slice(1))
  return virtual?.kind === 'module' ? { ...virtual, module: decode(virtual.module) } : virtual
}
