import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { CallOptions, Core } from './core.ts'
import { download, type FileReference } from './download.ts'
import { upload, type Uploaded, type UploadOptions } from './upload.ts'

// Loaded on demand: edge workers import this module too, and have no file system.
const disk = () => import('node:fs')

/**
 * Uploads a file from disk in chunks.
 *
 * @throws RequestError, OperationError, ServicekitError `READ_FAILED`, and file system
 *   errors if the file does not exist.
 * @see section 4.4
 */
export async function uploadFile(
  core: Core,
  path: string,
  options: UploadOptions = {},
): Promise<Uploaded> {
  const [{ createReadStream, promises }, { basename }] = await Promise.all([
    disk(),
    import('node:path'),
  ])
  const { size } = await promises.stat(path)
  const source = { size, open: (start: number) => createReadStream(path, { start }) }
  return upload(core, source, { name: basename(path), ...options })
}

/**
 * Downloads a file to disk. The bytes go to a temporary file next to `path`, with `.part`
 * in its name, and replace `path` when complete. A failed or aborted download leaves an
 * existing file unchanged and no temporary file behind.
 *
 * @returns Number of bytes written.
 * @throws RequestError, ResponseShapeError, and connection or file system errors during the
 *   transfer.
 * @see section 4.4
 */
export async function downloadToFile(
  core: Core,
  reference: FileReference,
  path: string,
  call: CallOptions = {},
): Promise<number> {
  const { body } = await download(core, reference, call)
  const [{ createWriteStream, promises }, { Readable }, { pipeline }] = await Promise.all([
    disk(),
    import('node:stream'),
    import('node:stream/promises'),
  ])
  const part = `${path}.${crypto.randomUUID()}.part`
  const file = createWriteStream(part)
  try {
    await pipeline(Readable.fromWeb(body as NodeStream), file, { signal: call.signal })
    await promises.rename(part, path)
    return file.bytesWritten
  } catch (error) {
    await promises.rm(part, { force: true })
    throw error
  }
}
