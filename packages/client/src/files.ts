import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { CallOptions, Core } from './core.ts'
import { download, type FilePlace, upload, type Uploaded, type UploadOptions } from './storage.ts'

// Loaded when they are needed: workers on the edge are servers too, and have no disk.
const disk = () => import('node:fs')

/**
 * Uploads a file from disk, a piece at a time.
 *
 * @throws RequestError, OperationError, ServicekitError `READ_FAILED`, and what the file
 *   system throws where there is no such file.
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
 * Downloads a file to disk. A download that fails or is aborted leaves nothing, and what was
 * at the path before as it was: until it is complete it is beside it, with `.part` in its name.
 *
 * @returns Bytes that were written.
 * @throws RequestError, ResponseShapeError, and what the connection or the file system throws
 *   once bytes come.
 * @see section 4.4
 */
export async function downloadToFile(
  core: Core,
  place: FilePlace,
  path: string,
  call: CallOptions = {},
): Promise<number> {
  const { body } = await download(core, place, call)
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
