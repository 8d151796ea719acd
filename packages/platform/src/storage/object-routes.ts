import { type Context, Hono } from 'hono'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { z } from 'zod'
import { json, problemDetails } from '../http/responses.ts'
import { type AppEnv, requestIdOf } from '../http/app-env.ts'
import { readText } from '../http/read-text.ts'
import { ownAddress } from '../http/address.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { attachment } from './backend.ts'
import { type FileRow, findFile, markStored } from './files.ts'
import type { LocalBackend } from './local-backend.ts'
import { isPublic, objectOf } from './operations.ts'
import { checkPermit, type Permit } from './signed-url.ts'

interface Visit {
  readonly c: Context<AppEnv>
  readonly services: Services
  readonly project: Project
  readonly row: FileRow
  /** Maximum number of bytes that the address allows. */
  readonly limit: number
}

/** Rejects a request with a status. */
const refuse = (c: Context<AppEnv>, status: number, text: string): Response =>
  problemDetails(status, text, requestIdOf(c))

/**
 * Routes for the addresses that the platform signs itself: uploads and downloads of the
 * local backend, public files, and uploads in parts. The signed address is the
 * authorization; no header is required.
 */
export function objectRoutes(services: () => Promise<Services>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const visit =
    (handle: (visit: Visit) => Promise<Response>) =>
    async (c: Context<AppEnv>): Promise<Response> => {
      const all = await services()
      const found = await permitted(c, all)
      return typeof found === 'string' ? refuse(c, 403, found) : handle(found)
    }
  app.put('/:key/:id/:name', visit(upload))
  app.get('/:key/:id/:name', visit(download))
  app.post('/:key/:id/:name', visit(multipart))
  return app
}

/** Checks the address. Every rejection has the same text, whether or not the file exists. */
async function permitted(c: Context<AppEnv>, services: Services): Promise<Visit | string> {
  const refused = 'This address is refused: it was not signed by this platform.'
  const { key = '', id = '', name = '' } = c.req.param() as Record<string, string>
  const project = await services.projects.find(key)
  if (!project || id.includes('\0')) return refused
  const query = new URL(c.req.url).searchParams
  const row = await services.database.scoped(project.id, (tables) => findFile(tables, id))
  const isOpen = row && isPublic(row) && row.name === name && row.storedAt
  const isReading = c.req.method === 'GET' || c.req.method === 'HEAD'
  if (isOpen && isReading && !query.has('signature')) {
    return { c, services, project, row, limit: 0 }
  }
  const permit: Permit = {
    method: query.get('method') as Permit['method'],
    projectKey: key,
    itemId: id,
    name,
    expires: Number(query.get('expires')),
    limit: Number(query.get('limit')),
  }
  const { addressKey } = await services.identity.secrets(project)
  const now = services.options.now().getTime() / 1000
  const signature = query.get('signature') ?? ''
  const fault = checkPermit(permit, signature, c.req.method, addressKey, now)
  if (fault) return `This address is refused: ${fault}.`
  return row ? { c, services, project, row, limit: permit.limit } : refused
}

async function localOf({ services, row }: Visit): Promise<LocalBackend | undefined> {
  return services.storage.local(row.configurationName)
}

async function upload(visit: Visit): Promise<Response> {
  const { c, services, project, row, limit } = visit
  const local = await localOf(visit)
  if (!local) return refuse(c, 403, 'This file is not kept by the platform.')
  const tooLarge = `The file is larger than ${limit} bytes.`
  if (Number(c.req.header('content-length') ?? 0) > limit) return refuse(c, 413, tooLarge)
  const body = c.req.raw.body as ReadableStream<Uint8Array> | null
  const md5 = c.req.header('content-md5')
  const written = await local
    .write(objectOf(project, row), body, limit, md5)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.syscall === undefined) throw error
      // A full or read-only disk is not the client's error and must be reported.
      services.options.onError(error)
      return { fault: 'notWritten' } as const
    })
  if ('fault' in written) {
    if (written.fault === 'tooLarge') return refuse(c, 413, tooLarge)
    if (written.fault === 'notWritten') return refuse(c, 507, 'The file could not be stored.')
    return written.fault === 'wrongMd5'
      ? refuse(c, 400, 'The bytes are not those that Content-MD5 tells of.')
      : refuse(c, 400, 'The upload was cut.')
  }
  const contentType = c.req.header('content-type')
  const { sizeInBytes, etag } = written
  await services.database.scoped(project.id, (tables) =>
    markStored(tables, row.itemId, { sizeInBytes, contentType }, services.options.now()),
  )
  const response = json({ isSuccess: true, itemId: row.itemId, sizeInBytes }, 201)
  response.headers.set('etag', etag)
  return response
}

/** Types that a browser may display inline: none of them can run code on the platform's origin. */
const shown = /^(image\/(png|jpeg|gif|webp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain)\b/

async function download(visit: Visit): Promise<Response> {
  const { c, services, project, row } = visit
  const object = objectOf(project, row)
  const local = await localOf(visit)
  if (!local) {
    const backend = await services.storage.backend(row.configurationName)
    if (!backend) return refuse(c, 404, 'The file is not there.')
    const context = { origin: ownAddress(services.options, c.req.raw).origin }
    const { url } = await backend.signDownload(object, context)
    return c.redirect(url, 302)
  }
  const found = await local.stat(object)
  if (!found) return refuse(c, 404, 'The file has not been uploaded yet.')
  const size = found.sizeInBytes
  const type = row.contentType ?? 'application/octet-stream'
  const headers = {
    'content-type': type,
    'content-disposition': attachment(row.name, shown.test(type) ? 'inline' : 'attachment'),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': isPublic(row) ? 'no-cache' : 'private, no-store',
  }
  const range = readRange(c.req.header('range'), size)
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } })
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const whole = { ...headers, 'content-length': String(end - start + 1) }
  const isHead = c.req.method === 'HEAD'
  const body = isHead || size === 0 ? null : Readable.toWeb(local.read(object, { start, end }))
  return range
    ? new Response(body as ConstructorParameters<typeof Response>[0], {
        status: 206,
        headers: { ...whole, 'content-range': `bytes ${start}-${end}/${size}` },
      })
    : new Response(body as ConstructorParameters<typeof Response>[0], { headers: whole })
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
 * Handles an upload in parts: `{parts: 3, contentType?}` starts one and returns an address
 * for each part, `{uploadId, parts: [{part, etag}]}` completes it, `{uploadId, abort:
 * true}` aborts it.
 */
async function multipart({ c, services, project, row }: Visit): Promise<Response> {
  const backend = await services.storage.backend(row.configurationName)
  const { multipart: parts } = backend ?? {}
  if (!parts) return refuse(c, 400, 'This storage takes a file in one piece, or in blocks.')
  let given: unknown
  try {
    given = JSON.parse(await readText(c.req.raw))
  } catch {
    return refuse(c, 400, 'The body is not JSON.')
  }
  const parsed = MultipartRequest.safeParse(given)
  if (!parsed.success) return refuse(c, 400, z.prettifyError(parsed.error))
  const object = objectOf(project, row)
  const request = parsed.data
  if ('abort' in request) {
    await parts.abort(object, request.uploadId)
    return new Response(null, { status: 204 })
  }
  if ('uploadId' in request) {
    await parts.complete(object, request.uploadId, request.parts)
    const bytes = await backend!.stat(object)
    if (bytes) {
      await services.database.scoped(project.id, (tables) =>
        markStored(tables, row.itemId, bytes, services.options.now()),
      )
    }
    return json({ isSuccess: true, itemId: row.itemId, ...bytes })
  }
  const uploadId = await parts.begin(object, request.contentType)
  const signed = await Promise.all(
    Array.from({ length: request.parts }, (_, index) =>
      parts.signPart(object, uploadId, index + 1),
    ),
  )
  return json({ uploadId, parts: signed.map(({ url }, index) => ({ part: index + 1, url })) })
}
