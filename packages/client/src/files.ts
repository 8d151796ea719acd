import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { CallOptions, Core } from './core.ts'
import { download, type FilePlace, upload, type Uploaded, type UploadOptions } from './storage.ts'

/**
 * Uploads a file from disk, a piece at a time.
 *
 * @param options.checksum Reads the file twice: the backend gets its MD5 first, and
 *   refuses bytes that differ. Not for files that go in parts.
 * @throws RequestError, OperationError, and what the file system throws.
 * @see section 4.4
 */
export async function uploadFile(
  core: Core,
  path: string,
  { checksum = false, ...options }: UploadOptions & { readonly checksum?: boolean } = {},
): Promise<Uploaded> {
  const { size } = await stat(path)
  const source = { size, open: (start: number) => createReadStream(path, { start }) }
  const md5 = checksum ? { contentMd5: await md5Of(path) } : {}
  return upload(core, source, { name: basename(path), ...md5, ...options })
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return hash.digest('base64')
}

/**
 * Downloads a file to disk. A download that fails or is aborted leaves nothing.
 *
 * @returns Bytes that were written.
 * @see section 4.4
 */
export async function downloadToFile(
  core: Core,
  place: FilePlace,
  path: string,
  call: CallOptions = {},
): Promise<number> {
  const { body } = await download(core, place, call)
  const file = createWriteStream(path)
  try {
    await pipeline(Readable.fromWeb(body as NodeStream), file, { signal: call.signal })
    return file.bytesWritten
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}
