import type { BuildManifest, ManifestChunk } from '@servicekit/catalog'
import { formNames, isObject } from '@servicekit/core'
import { idOf } from './key-values.ts'

/** Translations of a key in a build. */
interface BuiltMessage {
  /** Bytes of its text in UTF-8 by language, before compression. */
  readonly bytes: ReadonlyMap<string, number>
  /** Chunks that load it. */
  readonly chunks: readonly ManifestChunk[]
}

/** Messages of a build by the identifier of their key. */
export type BuiltMessages = ReadonlyMap<string, BuiltMessage>

/** Options that the messages of a build were compiled with. */
type ManifestOptions = BuildManifest['options']

/** Manifest of a build. */
export interface ReadManifest {
  readonly messages: BuiltMessages
  readonly options: ManifestOptions
}

/** Reads `uilm-manifest.json`. Returns undefined if the text is not a manifest of version 1. */
export function readManifest(text: string): ReadManifest | undefined {
  try {
    const manifest: unknown = JSON.parse(text)
    if (!isObject(manifest) || manifest['version'] !== 1) return undefined
    const read = manifest as unknown as BuildManifest
    return { messages: messagesOf(read), options: read.options }
  } catch {
    // Not JSON, or properties of other types.
    return undefined
  }
}

function messagesOf({ chunks, messages, translations }: BuildManifest): BuiltMessages {
  const built = new Map<string, BuiltMessage & { readonly chunks: ManifestChunk[] }>()
  for (const chunk of chunks) {
    for (const [module, message] of chunk.keys) {
      const isPlural = messages[module]![message]!.params['count'] === 'number'
      const forms = isPlural ? formNames.map((form) => `${message}_${form}`) : []
      for (const key of [message, ...forms]) {
        const id = idOf({ module, key })
        const bytes = bytesOf(translations[module]!, key)
        const known = built.get(id)
        if (known) known.chunks.push(chunk)
        else if (bytes.size > 0) built.set(id, { bytes, chunks: [chunk] })
      }
    }
  }
  return built
}

const encoder = new TextEncoder()

const bytesOf = (
  byLanguage: BuildManifest['translations'][string],
  key: string,
): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(byLanguage).flatMap(([language, texts]) =>
      Object.hasOwn(texts, key) ? [[language, encoder.encode(texts[key]).length] as const] : [],
    ),
  )

/** Returns the bytes of a message, such as `24–31 B` in its languages, or `–` if it is not built. */
export function formatSize(message: BuiltMessage | undefined): string {
  const bytes = [...(message?.bytes.values() ?? [])]
  if (bytes.length === 0) return '–'
  const [least, most] = [Math.min(...bytes), Math.max(...bytes)]
  return `${least === most ? least : `${least}–${most}`} B`
}
