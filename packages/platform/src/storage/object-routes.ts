import { parseJson } from '@servicekit/core'
import { type Context, Hono } from 'hono'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { z } from 'zod'
import { json, problemDetails } from '../http/responses.ts'
import { type AppEnv, requestIdOf } from '../http/app-env.ts'
import { readText, type SignedRequest, verifySignature } from '@servicekit/core/node'
import { ownAddress } from '../http/address.ts'
import type { Services } from '../services.ts'
import { attachment, type StoredBytes } from './backend.ts'
import { RemovedFile } from './bytes.ts'
import { findFile, isPublic, lockFile, markStored, objectOf } from './files.ts'
import { endUploadJob } from './settle-uploads.ts'

/** Request for a file whose URL was verified; `limit` is the number of bytes that it allows. */
type FileRequest = Exclude<Awaited<ReturnType<typeof verify>>, string>

const reject = (c: Context<AppEnv>, status: number, text: string): Response =>
  problemDetails(status, text, requestIdOf(c))

/**
 * Routes for the URLs that the platform signs itself: uploads and downloads of the local backend,
 * public files, and uploads in parts. The signed URL is the authorization; no header is required.
 */
export function objectRoutes(services: () => Promise<Services>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const verified =
    (handle: (request: FileRequest) => Promise<Response>) =>
    async (c: Context<AppEnv>): Promise<Response> => {
      const request = await verify(c, await services())
      return typeof request === 'string' ? reject(c, 403, request) : handle(request)
    }
  app.put('/:key/:id/:name', verified(upload))
  app.get('/:key/:id/:name', verified(download))
  app.post('/:key/:id/:name', verified(multipart))
  return app
}

/** Verifies the URL. Every rejection has the same text, whether or not the file exists. */
async function verify(c: Context<AppEnv>, services: Services) {
  const rejected = 'The URL was rejected: it was not signed by this platform.'
  const { key = '', id = '', name = '' } = c.req.param() as Record<string, string>
  const project = await services.projects.find(key)
  if (!project || id.includes('\0')) return rejected
  const { signature, ...query } = c.req.query()
  const row = await services.database.scoped(project.id, (tables) => findFile(tables, id))
  const backend = row && (await services.storage.backend(row.configurationName))
  const isOpen = row && isPublic(row) && row.name === name && row.storedAt
  const isReading = c.req.method === 'GET' || c.req.method === 'HEAD'
  let limit = 0
  if (!isOpen || !isReading || signature !== undefined) {
    limit = Number(query['limit'])
    const method = query['method'] as SignedRequest['method']
    const expires = Number(query['expires'])
    const request = { method, projectKey: key, itemId: id, name, expires, limit }
    const { addressKey } = await services.identity.secrets(project)
    const now = services.options.now().getTime() / 1000
    const reason = verifySignature(request, signature ?? '', c.req.method, addressKey, now)
    if (reason) return `The URL was rejected: ${reason}.`
  }
  if (!row || !backend) return rejected
  return { c, services, project, row, object: objectOf(project, row), backend, limit }
}

async function upload(request: FileRequest): Promise<Response> {
  const { c, services, project, row, object, backend, limit } = request
  if (!backend.local) return reject(c, 403, 'The platform does not store this file.')
  const tooLarge = `The file is larger than ${limit} bytes.`
  if (Number(c.req.header('content-length') ?? 0) > limit) return reject(c, 413, tooLarge)
  const body = c.req.raw.body as ReadableStream<Uint8Array> | null
  const contentType = c.req.header('content-type')
  const written = await backend.local
    .write(object, body, {
      maxBytes: limit,
      md5: c.req.header('content-md5'),
      save: (place, { sizeInBytes }) =>
        services.database.scoped(
          project.id,
          async (tables) => {
            // Bytes without a record could never be removed.
            if (!(await lockFile(tables, row.itemId))) throw new RemovedFile()
            await place()
            const now = services.options.now()
            await markStored(tables, row.itemId, { sizeInBytes, contentType }, now)
            await endUploadJob(tables, row)
          },
          { hasEffects: true },
        ),
    })
    .catch((error: NodeJS.ErrnoException) => {
      if (error instanceof RemovedFile) return { error: 'removed' } as const
      if (error.syscall === undefined) throw error
      // A full or read-only disk is not the client's error and must be reported.
      services.options.onError(error)
      return { error: 'notWritten' } as const
    })
  if ('error' in written) {
    const rejections = {
      tooLarge: [413, tooLarge],
      removed: [404, 'The file was removed during its upload.'],
      notWritten: [507, 'The file could not be stored.'],
      wrongMd5: [400, 'The body does not match Content-MD5.'],
      interrupted: [400, 'The upload was interrupted.'],
    } as const
    const [status, message] = rejections[written.error]
    return reject(c, status, message)
  }
  const { sizeInBytes, etag } = written
  const response = json({ isSuccess: true, itemId: row.itemId, sizeInBytes }, 201)
  response.headers.set('etag', etag)
  return response
}

/**
 * Media type, and its parameters of characters that a header can carry. Browsers read a comma as
 * the start of another media type.
 */
const mediaType = /^([\w!#$&^.+-]+\/[\w!#$&^.+-]+)(?:[\t ]*;[\t\x20-\x2b\x2d-\x7e]*)?$/

/** Types that a browser may display inline: none of them can run code on the platform's origin. */
const inlineTypes =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain)$/i

/** Returns the type that a download has, and whether a browser may display it. */
export function servedType(contentType: string | null): {
  readonly type: string
  readonly disposition: 'inline' | 'attachment'
} {
  const [type, essence] = mediaType.exec(contentType ?? '') ?? []
  if (type === undefined || essence === undefined) {
    return { type: 'application/octet-stream', disposition: 'attachment' }
  }
  return { type, disposition: inlineTypes.test(essence) ? 'inline' : 'attachment' }
}

async function download(request: FileRequest): Promise<Response> {
  const { c, services, project, object, backend } = request
  let { row } = request
  if (!backend.local) {
    const { origin } = ownAddress(services.options, c.req.raw)
    return c.redirect((await backend.signDownload(object, origin)).url, 302)
  }
  const { local } = backend
  // Under the lock, so that an upload that ends now does not separate the bytes from their type.
  const file = await services.database.scoped(
    project.id,
    async (tables) => {
      const locked = await lockFile(tables, row.itemId)
      if (locked) row = locked
      return locked && local.open(object)
    },
    { hasEffects: true },
  )
  if (!file) return reject(c, 404, 'The file has not been uploaded yet.')
  const size = file.sizeInBytes
  const range = readRange(c.req.header('range'), size)
  if (range === 'unsatisfiable') {
    await file.close()
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } })
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const { type, disposition } = servedType(row.contentType)
  const headers = {
    'content-type': type,
    'content-length': String(end - start + 1),
    'content-disposition': attachment(row.name, disposition),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': isPublic(row) ? 'no-cache' : 'private, no-store',
    ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
  }
  const status = range ? 206 : 200
  if (c.req.method === 'HEAD' || size === 0) {
    await file.close()
    return new Response(null, { status, headers })
  }
  const body = Readable.toWeb(file.read({ start, end }))
  return new Response(body as ConstructorParameters<typeof Response>[0], { status, headers })
}

function readRange(header: string | undefined, size: number) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start > end ? 'unsatisfiable' : { start, end }
}

const MultipartRequest = z.union([
  z.strictObject({
    parts: z.int().min(1).max(10_000),
    contentType: z.string().max(255).optional(),
  }),
  z.strictObject({
    uploadId: z.string().min(1),
    parts: z.array(z.strictObject({ part: z.int().min(1), etag: z.string().min(1) })).min(1),
  }),
  z.strictObject({ uploadId: z.string().min(1), abort: z.literal(true) }),
])

/**
 * Handles an upload in parts: `{parts: 3, contentType?}` starts one and returns a URL for each
 * part, `{uploadId, parts: [{part, etag}]}` completes it, `{uploadId, abort: true}` aborts it.
 */
async function multipart(fileRequest: FileRequest): Promise<Response> {
  const { c, services, project, row, object, backend } = fileRequest
  const parts = backend.multipart
  if (!parts) return reject(c, 400, 'This storage does not support uploads in parts.')
  const parsed = MultipartRequest.safeParse(parseJson(await readText(c.req.raw)))
  if (!parsed.success) return reject(c, 400, z.prettifyError(parsed.error))
  const request = parsed.data
  if ('abort' in request) {
    await parts.abort(object, request.uploadId)
    return new Response(null, { status: 204 })
  }
  if ('uploadId' in request) {
    const bytes = await services.database.scoped(
      project.id,
      async (tables) => {
        // Bytes without a record could never be removed.
        if (!(await lockFile(tables, row.itemId))) return undefined
        await parts.complete(object, request.uploadId, request.parts)
        const found = await backend.stat(object)
        if (found) await markStored(tables, row.itemId, found, services.options.now())
        return found ?? {}
      },
      { hasEffects: true },
    )
    if (!bytes) {
      await parts.abort(object, request.uploadId)
      return reject(c, 404, 'The file was removed during its upload.')
    }
    const { sizeInBytes, contentType }: Partial<StoredBytes> = bytes
    return json({ isSuccess: true, itemId: row.itemId, sizeInBytes, contentType })
  }
  const uploadId = await parts.begin(object, request.contentType)
  const signed = await Promise.all(
    Array.from({ length: request.parts }, async (_, index) => {
      const { url } = await parts.signPart(object, uploadId, index + 1)
      return { part: index + 1, url }
    }),
  )
  return json({ uploadId, parts: signed })
}
