import { type Sources, syntaxes } from './compile.ts'

/** Returns sources as the fragment of a link: compressed JSON in base64url. */
export async function printLink(sources: Sources): Promise<string> {
  const bytes = await through(
    new CompressionStream('deflate-raw'),
    toBytes(JSON.stringify(sources)),
  )
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Reads the fragment of a link; undefined if it is not one of `printLink`. */
export async function readLink(fragment: string): Promise<Sources | undefined> {
  if (fragment === '') return undefined
  try {
    const binary = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    const inflated = await through(new DecompressionStream('deflate-raw'), bytes)
    const value: unknown = JSON.parse(new TextDecoder().decode(inflated))
    return isSources(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isSources(value: unknown): value is Sources {
  if (typeof value !== 'object' || value === null) return false
  const { syntax, files, code } = value as Partial<Record<keyof Sources, unknown>>
  return (
    typeof syntax === 'string' &&
    Object.hasOwn(syntaxes, syntax) &&
    typeof code === 'string' &&
    typeof files === 'object' &&
    files !== null &&
    Object.keys(files).length > 0 &&
    Object.entries(files).every(
      ([language, text]) => isLanguage(language) && typeof text === 'string',
    )
  )
}

/** Returns whether a text is a language tag. */
export function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

/** Returns the number of bytes of a text after gzip. */
export const gzipSize = async (text: string): Promise<number> =>
  (await through(new CompressionStream('gzip'), toBytes(text))).length

const toBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const through = async (
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())
