import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type Backend, expiryOf, type StoredObject, type Written } from './backend.ts'
import { signPath } from '@servicekit/core/node'

export interface LocalBackendOptions {
  readonly folder: string
  /** Returns the key that signs addresses of a project. */
  readonly keyOf: (projectKey: string) => Promise<string>
  readonly now: () => Date
  readonly maxBytes: number
}

export function localBackend({ folder, keyOf, now, maxBytes }: LocalBackendOptions): Backend {
  // Project keys may contain anything, including `..`: folders are named by their hash.
  const folderOf = ({ projectKey }: Pick<StoredObject, 'projectKey'>): string =>
    resolve(folder, createHash('sha256').update(projectKey).digest('hex').slice(0, 32))
  const pathOf = (object: StoredObject): string =>
    join(folderOf(object), createHash('sha256').update(object.itemId).digest('hex').slice(0, 32))
  const sign = async (object: StoredObject, method: 'PUT' | 'GET', origin: string) => {
    const expiresAt = expiryOf(now(), method === 'PUT' ? 'upload' : 'download')
    const limit = method === 'PUT' ? maxBytes : 0
    const { projectKey, itemId, name } = object
    const expires = expiresAt.getTime() / 1000
    const request = { method, projectKey, itemId, name, expires, limit }
    const url = `${origin}${signPath(request, await keyOf(projectKey))}`
    return { url, requiredHeaders: {}, expiresAt }
  }
  return {
    signUpload: (object, origin) => sign(object, 'PUT', origin),
    signDownload: (object, origin) => sign(object, 'GET', origin),
    stat: async (object) => {
      const found = await stat(pathOf(object)).catch(() => undefined)
      if (!found) return undefined
      const { size: sizeInBytes, ino, mtimeMs } = found
      return { sizeInBytes, contentType: undefined, etag: `${ino}-${mtimeMs}` }
    },
    remove: (object) => rm(pathOf(object), { force: true }),
    local: {
      write: async (object, body, { maxBytes: limit, md5, save = (place) => place() }) => {
        const path = pathOf(object)
        const created = await mkdir(folderOf(object), { recursive: true })
        const unfinished = `${path}.${randomUUID()}`
        try {
          const written = await receive(unfinished, body, limit, md5)
          if ('error' in written) return written
          await save(async () => {
            await rename(unfinished, path)
            await flushFolders(path, created ?? folderOf(object))
          }, written)
          return written
        } finally {
          await rm(unfinished, { force: true })
        }
      },
      open: async (object) => {
        const file = await open(pathOf(object)).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined
          throw error
        })
        return (
          file && {
            sizeInBytes: (await file.stat()).size,
            read: (range) => file.createReadStream(range),
            close: () => file.close(),
          }
        )
      },
      removeProject: (projectKey) => rm(folderOf({ projectKey }), { recursive: true, force: true }),
    },
  }
}

async function receive(
  path: string,
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  md5: string | undefined,
): Promise<Written> {
  const hash = createHash('md5')
  let sizeInBytes = 0
  let isTooLarge = false
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeInBytes += chunk.length
      isTooLarge = sizeInBytes > limit
      hash.update(chunk)
      done(isTooLarge ? new Error('The file is too large.') : null, chunk)
    },
  })
  const source = body ? Readable.fromWeb(body) : Readable.from([])
  try {
    await pipeline(source, count, createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    if (isTooLarge) return { error: 'tooLarge' }
    // The client disconnected; errors of the file system, such as a full disk, are rethrown.
    if ((error as NodeJS.ErrnoException).syscall === undefined) return { error: 'interrupted' }
    throw error
  }
  const digest = hash.digest()
  if (md5 !== undefined && md5 !== digest.toString('base64')) return { error: 'wrongMd5' }
  // Flush to disk before its record says that it exists.
  await flush(path, 'r+')
  return { sizeInBytes, etag: `"${digest.toString('hex')}"` }
}

async function flush(path: string, flags: string): Promise<void> {
  const file = await open(path, flags)
  await file.sync().finally(() => file.close())
}

/** Flushes the folders that contain a file, up to the one in which `created` is. */
async function flushFolders(file: string, created: string): Promise<void> {
  // Windows cannot flush folders.
  if (process.platform === 'win32') return
  for (let path = file; path.length >= created.length; path = dirname(path)) {
    await flush(dirname(path), 'r')
  }
}
