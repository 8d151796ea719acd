import { isVisibleAscii } from '@servicekit/core'
import { join } from 'node:path'
import type { FileChange } from '../files/replace-files.ts'
import { readText } from '../files/write.ts'

/** ETag with the content that it was sent for. */
export interface KnownEtag {
  readonly etag: string
  /** Lock entry of the file. */
  readonly hash: string
}

const fileIn = (cacheDir: string): string => join(cacheDir, 'etags.json')

/** `true` if the ETag can be sent back as a header value. */
export const isEtag = (etag: unknown): etag is string =>
  typeof etag === 'string' && isVisibleAscii(etag)

/**
 * Reads the ETags of the last pull by path. Returns none if they belong to another source
 * or cannot be read.
 */
export async function readEtags(
  cacheDir: string,
  source: string,
): Promise<ReadonlyMap<string, KnownEtag>> {
  const text = await readText(fileIn(cacheDir))
  try {
    const saved = JSON.parse(text ?? '{}') as { source?: string; etags?: Record<string, KnownEtag> }
    if (saved.source !== source) return new Map()
    return new Map(Object.entries(saved.etags ?? {}).filter(([, { etag }]) => isEtag(etag)))
  } catch {
    return new Map()
  }
}

/** Returns the file that stores the ETags of a pull. */
export function etagsFile(
  cacheDir: string,
  source: string,
  files: readonly { readonly path: string; readonly etag: string | undefined; hash: string }[],
): FileChange {
  const etags = Object.fromEntries(
    files.flatMap(({ path, etag, hash }) => (isEtag(etag) ? [[path, { etag, hash }]] : [])),
  )
  const text = `${JSON.stringify({ source, etags })}\n`
  return { path: fileIn(cacheDir), text, isGenerated: true }
}
