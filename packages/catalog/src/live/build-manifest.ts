import { createHash } from 'node:crypto'
import { ConfigError } from '@servicekit/client'
import { byCodePoint, isObject, parseJson, reasonOf } from '@servicekit/core'
import { type MessageModel, type Model, type ModelOptions, modelOptions } from '../model/model.ts'
import type { ParameterType } from '../syntax/message.ts'
import { type CatalogOptions, resolveMessageOptions } from '../config/options.ts'
import { pseudoKindOf } from '../model/pseudo.ts'
import { listingProblem } from '../sources/select-listing.ts'
import type { PackFile } from '../emit/pack-files.ts'

/** Name of the manifest in the output folder of a build. */
export const manifestName = 'uilm-manifest.json'

/**
 * Messages of a build, by the chunk that shows them: `uilm-manifest.json`. It contains
 * everything that `servicekit repack` needs to compile packs for this build from other
 * translations.
 */
export interface BuildManifest {
  /** Version of the format. */
  readonly version: 1
  readonly defaultLanguage: string
  /** Display name by language code, the default language first. */
  readonly languages: Readonly<Record<string, string>>
  /** Options that the translations were compiled with. */
  readonly options: ModelOptions
  /** Arguments of each message, by module and key. */
  readonly messages: Readonly<Record<string, Readonly<Record<string, ManifestMessage>>>>
  readonly chunks: readonly ManifestChunk[]
  /** Translations of these messages in the build, by module and language. */
  readonly translations: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
  >
}

/** Arguments that the application passes to a message. */
export interface ManifestMessage {
  /** Type of each parameter. A plural has the parameter `count`. */
  readonly params: Readonly<Record<string, ParameterType>>
  /** Tags; `true` for those with children. */
  readonly tags: Readonly<Record<string, boolean>>
  /** Arguments of a call without `count`, if the key also has a translation for it. */
  readonly base?: ManifestMessage
}

/** Chunk of the build that shows messages. */
export interface ManifestChunk {
  /** Hash in the names of its packs, by which the chunk is known. */
  readonly hash: string
  /** Module and key of its messages, in the order of the packs. */
  readonly keys: readonly (readonly [module: string, key: string])[]
  /** Packs by language. */
  readonly packs: Readonly<Record<string, ManifestPack>>
  /**
   * Files of the bundler that load the packs, relative to the output folder: several if their
   * messages are the same.
   */
  readonly files?: readonly string[]
  /**
   * Entries that load these files, also by dynamic imports: HTML pages with vite, relative to the
   * root of the project, and otherwise the names of entries.
   */
  readonly entries?: readonly string[]
}

interface ManifestPack {
  /** Path relative to the manifest. */
  readonly file: string
  /** Hash of the file for Subresource Integrity: `sha256-…`. */
  readonly integrity: string
}

/** Chunk with messages, as a bundler wrote it. */
export interface BuiltChunk {
  readonly hash: string
  readonly keys: readonly (readonly [module: string, key: string])[]
  /** Packs, with paths relative to the output folder as names. */
  readonly packs: readonly PackFile[]
  /** Files that load the packs, relative to the output folder. */
  readonly files?: readonly string[]
  /** Entries that load these files. */
  readonly entries?: readonly string[]
}

/** Creates the manifest of a build. Chunks with the same messages are one. */
export function createManifest(
  { catalog, options }: Model,
  chunks: readonly BuiltChunk[],
  messageOf: (module: string, key: string) => MessageModel,
): BuildManifest {
  const unique = new Map(chunks.map((chunk) => [chunk.hash, chunk]))
  const used = new Map<string, Map<string, MessageModel>>()
  for (const { keys } of unique.values()) {
    for (const [module, key] of keys) {
      const messages = used.get(module) ?? new Map<string, MessageModel>()
      used.set(module, messages.set(key, messageOf(module, key)))
    }
  }
  const modules = [...used]
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([module, messages]) => ({
      module,
      messages: [...messages].sort(([a], [b]) => byCodePoint(a, b)),
    }))
  const languages = catalog.languages.filter(({ code }) => !pseudoKindOf(code, options.pseudo))
  return {
    version: 1,
    defaultLanguage: catalog.defaultLanguage,
    languages: Object.fromEntries(languages.map(({ code, name }) => [code, name])),
    options: modelOptions(options),
    messages: Object.fromEntries(
      modules.map(({ module, messages }) => [
        module,
        Object.fromEntries(messages.map(([key, message]) => [key, argumentsOf(message)])),
      ]),
    ),
    chunks: [...unique.values()]
      .map(({ hash, keys, packs }) => ({
        hash,
        keys,
        ...namesIn(chunks, hash),
        packs: Object.fromEntries(
          packs.map(({ name, language, source }) => [
            language,
            { file: name, integrity: integrityOf(source) },
          ]),
        ),
      }))
      .sort((a, b) => byCodePoint(a.hash, b.hash)),
    translations: Object.fromEntries(
      modules.map(({ module, messages }) => {
        const keys = messages.flatMap(([, { group }]) => rawKeys(group))
        const source = catalog.modules.find(({ name }) => name === module)!
        return [
          module,
          Object.fromEntries(
            languages.flatMap(({ code }) => {
              const file = source.translations.get(code)
              const texts = keys.flatMap((key) => {
                const text = file?.get(key)
                // Empty ones too: the keys decide which of them are forms of a plural.
                return text === undefined ? [] : [[key, text ?? ''] as const]
              })
              return texts.length === 0 ? [] : [[code, Object.fromEntries(texts)]]
            }),
          ),
        ]
      }),
    ),
  }
}

/** Returns the files and entries of all chunks with the same messages. */
function namesIn(
  chunks: readonly BuiltChunk[],
  hash: string,
): Pick<ManifestChunk, 'files' | 'entries'> {
  const same = chunks.filter((chunk) => chunk.hash === hash)
  const files = new Set(same.flatMap((chunk) => chunk.files ?? []))
  const entries = new Set(same.flatMap((chunk) => chunk.entries ?? []))
  return {
    ...(files.size > 0 && { files: [...files].sort(byCodePoint) }),
    ...(entries.size > 0 && { entries: [...entries].sort(byCodePoint) }),
  }
}

/** Formats a manifest for its file. */
export const printManifest = (manifest: BuildManifest): string => `${JSON.stringify(manifest)}\n`

/**
 * Parses a manifest.
 *
 * @param name Name of the file, for errors.
 * @throws ConfigError if it is not a manifest, or one of another version.
 */
export function parseManifest(text: string, name = manifestName): BuildManifest {
  const manifest = parseJson(text)
  const problem = manifestProblem(manifest)
  if (problem === undefined) return manifest as BuildManifest
  const version = isObject(manifest) ? manifest['version'] : undefined
  throw new ConfigError(`${name} is not a build manifest`, {
    details: {
      reason: problem,
      ...(version === undefined ? {} : { version: String(version), supported: '1' }),
    },
    help: 'Build the application with the plugin option `manifest: true`, with the same version of Servicekit.',
  })
}

/** Returns why a value cannot be used as a manifest; undefined if it can. */
function manifestProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'It is not a JSON object'
  if (value['version'] !== 1) return 'It has another version'
  const { defaultLanguage, languages, options, messages, translations, chunks } = value
  if (typeof defaultLanguage !== 'string' || !isObjectOf(languages, isString)) {
    return 'A language is not a text'
  }
  const codes = Object.keys(languages)
  if (!isObjectOf(messages, (module) => isObjectOf(module, isManifestMessage))) {
    return 'The arguments of a message have a wrong type'
  }
  if (
    !isObjectOf(translations, (module) => isObjectOf(module, (file) => isObjectOf(file, isString)))
  ) {
    return 'A translation is not a text'
  }
  const isKnown = (id: unknown): boolean =>
    Array.isArray(id) &&
    id.length === 2 &&
    id.every(isString) &&
    Object.hasOwn(messages, id[0]!) &&
    Object.hasOwn(messages[id[0]!]!, id[1]!)
  const isChunk = (chunk: unknown): boolean =>
    isObject(chunk) &&
    isString(chunk['hash']) &&
    Array.isArray(chunk['keys']) &&
    chunk['keys'].every(isKnown)
  if (!Array.isArray(chunks) || !chunks.every(isChunk)) return 'A chunk has unknown messages'
  if (!isObject(options)) return 'It has no options'
  try {
    resolveMessageOptions(options as CatalogOptions)
  } catch (error) {
    return reasonOf(error)
  }
  return listingProblem(codes, defaultLanguage, Object.keys(translations))
}

const isString = (value: unknown): value is string => typeof value === 'string'

/** Returns whether a value is an object whose members have a type. */
const isObjectOf = <T>(
  value: unknown,
  isMember: (member: unknown) => member is T,
): value is Readonly<Record<string, T>> => isObject(value) && Object.values(value).every(isMember)

const parameterTypes = new Set<unknown>(['value', 'number', 'date', 'list', 'flag'])

const isManifestMessage = (value: unknown): value is ManifestMessage =>
  isObject(value) &&
  isObject(value['params']) &&
  Object.values(value['params']).every((type) => parameterTypes.has(type)) &&
  isObject(value['tags']) &&
  Object.values(value['tags']).every((hasChildren) => typeof hasChildren === 'boolean') &&
  (value['base'] === undefined || isManifestMessage(value['base']))

/** Arguments of a message that decide whether another translation fits its calls. */
function argumentsOf(message: MessageModel): ManifestMessage {
  const { params, types, plural, base } = message
  return {
    params: Object.fromEntries([
      ...params.map((name) => [name, types.get(name) ?? 'value'] as const),
      ...(plural ? [['count', 'number'] as const] : []),
    ]),
    tags: Object.fromEntries(message.tags),
    ...(base ? { base: argumentsOf(base) } : {}),
  }
}

const rawKeys = ({ key, plural, base }: MessageModel['group']): readonly string[] =>
  plural ? [...plural.values(), ...(base === undefined ? [] : [base])] : [key]

const integrityOf = (source: string): string =>
  `sha256-${createHash('sha256').update(source).digest('base64')}`
