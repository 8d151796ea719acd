import { printExactJson } from '@servicekit/core/exact-json'
import type { ProblemDetails, Rejection, SessionError } from '@servicekit/contract'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ResolvedOptions } from '../options.ts'

/** Minimum length of compressed bodies, the default of Hono. */
const compressedLength = 1024

export function json(value: unknown, status = 200, mediaType = 'application/json'): Response {
  const body = printExactJson(value)
  const length = Buffer.byteLength(body)
  const headers = {
    'content-type': `${mediaType}; charset=utf-8`,
    // Bodies with a small length are not compressed.
    'content-length': String(length),
    // Hono would convert the body to a stream in order to add this header.
    ...(length >= compressedLength ? { vary: 'Accept-Encoding' } : {}),
  }
  return new Response(body, { status, headers })
}

/** Creates a response with JSON that is already compressed, for any client. */
export function compressedJson(request: Request, gzip: Buffer): Response {
  const headers = { 'content-type': 'application/json', vary: 'Accept-Encoding' }
  if (/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) {
    const length = String(gzip.length)
    return new Response(new Uint8Array(gzip), {
      headers: { ...headers, 'content-encoding': 'gzip', 'content-length': length },
    })
  }
  const plain = Readable.from([gzip]).pipe(createGunzip())
  return new Response(Readable.toWeb(plain) as ReadableStream<Uint8Array>, { headers })
}

/** Adds `Cache-Control: no-store`, and cookies. */
export function noStore(response: Response, cookies: readonly string[] = []): Response {
  response.headers.set('cache-control', 'no-store')
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

const revalidation = (etag: string) => ({ 'cache-control': 'no-cache', etag })

/** Creates a response that clients keep, and revalidate by its tag. */
export const revalidated = (body: string): Response =>
  new Response(body, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...revalidation(etagOf(body)),
    },
  })

export const etagOf = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`

/** Returns whether a request names the tag of a body that its client has. */
function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match') ?? ''
  // If-None-Match compares weakly.
  const tags = new Set(known.split(',').map((tag) => tag.trim().replace(/^W\//, '')))
  return tags.has(etag.replace(/^W\//, '')) || tags.has('*')
}

/** Returns a 304 if the client already has the body with that tag. */
export const ifUnchanged = (request: Request, etag: string): Response | undefined =>
  isKnown(request, etag)
    ? new Response(null, { status: 304, headers: revalidation(etag) })
    : undefined

/** Returns the response, or 304 if the client already has its body. */
export function unlessUnchanged(request: Request, response: Response): Response {
  const etag = response.headers.get('etag')
  if (response.status !== 200 || etag === null || !isKnown(request, etag)) return response
  const headers = new Headers(response.headers)
  headers.delete('content-type')
  headers.delete('content-length')
  return new Response(null, { status: 304, headers })
}

/** Creates the response to a request whose sender has gone away; only the log has its status. */
export const clientClosedRequest = (): Response => new Response(null, { status: 499 })

/** Creates the response to an unexpected error, and to errors without a format of their own. */
export const problemDetails = (status: number, title: string, traceId: string): Response => {
  const problem: ProblemDetails = { type: 'about:blank', title, status, traceId }
  return json(problem, status, 'application/problem+json')
}

/** Creates the response while a dependency fails. After a 503, clients may retry. */
export function unavailable(title: string, traceId: string, status = 503): Response {
  const response = problemDetails(status, title, traceId)
  if (status === 503) response.headers.set('retry-after', '1')
  return response
}

/** Creates the response to a request that was rejected before routing. */
export const rejection = (status: number, message: string): Response =>
  json({ Errors: { Message: message }, IsSuccess: false } satisfies Rejection, status)

/** Creates the response to a failed session or token request (section 4.1). */
export const sessionError = (status: number, error: string, description: string): Response =>
  json({ error, error_description: description } satisfies SessionError, status)

/** Creates the response to an identity request that succeeded. */
export const success = (body: object): Response => json({ ...body, errors: {} })

export const saved = (itemId: string, rest?: object): Response =>
  success({ isSuccess: true, itemId, ...rest })

export const notSaved = (
  errors: Readonly<Record<string, string>>,
  rest: object = { itemId: null },
  status = 200,
): Response => json({ isSuccess: false, ...rest, errors }, status)

const uilmTitles: Readonly<Record<number, string>> = {
  400: 'One or more parameters are missing or not defined.',
  401: 'The project key is missing or not valid.',
  404: 'There is nothing at this address.',
}

/** Creates the response to a rejected localization request (section 7). */
export function uilmError(
  status: number,
  errors: Readonly<Record<string, readonly string[]>>,
  traceId: string,
  title = uilmTitles[status] ?? 'The request failed.',
): Response {
  const types: Record<number, string> = { 400: 'ValidationFailed', 401: 'Unauthorized' }
  const type = types[status] ?? 'NotFound'
  return json({ code: status, message: { type, title, status, errors, traceId } }, status)
}

/** Thrown for a request that exceeds a rate limit; mapped to a 429 response. */
export class TooManyRequestsError extends Error {
  override readonly name = 'TooManyRequestsError'
  readonly retryAfterSeconds: number

  constructor(
    retryAfterSeconds: number,
    message = `Too many attempts. Try again in ${retryAfterSeconds} seconds.`,
  ) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function tooManyRequests(
  { message, retryAfterSeconds }: TooManyRequestsError,
  { retryAfter }: Pick<ResolvedOptions, 'retryAfter'>,
): Response {
  const response = rejection(429, message)
  if (retryAfter) response.headers.set('retry-after', String(retryAfterSeconds))
  return response
}
