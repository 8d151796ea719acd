import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** Response, before conditional requests and compression are applied. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Values of `set-cookie`, the only header that can occur several times. */
  readonly cookies?: readonly string[]
  /** Body; absent if there is none. */
  readonly body?: string
  /** Returns the cached gzip body; without it, the body is compressed on demand. */
  readonly gzip?: () => Uint8Array<ArrayBuffer>
}

/** Minimum size in bytes of compressed bodies. */
const gzipAbove = 1024

/** Creates an answer with a JSON body. */
export const json = (value: unknown, status = 200, mediaType = 'application/json'): Answer => ({
  status,
  headers: { 'content-type': `${mediaType}; charset=utf-8` },
  body: JSON.stringify(value),
})

/**
 * Creates the response: 304 if the client already has the body, compressed if the client
 * accepts gzip.
 */
export function toResponse(request: Request, answer: Answer): Response {
  const { status, body } = answer
  const headers: Record<string, string> = { ...answer.headers }
  const etag = headers['etag']
  if (etag && status === 200 && matches(request.headers.get('if-none-match'), etag)) {
    delete headers['content-type']
    return new Response(null, { status: 304, headers: withCookies(headers, answer) })
  }
  if (body === undefined)
    return new Response(null, { status, headers: withCookies(headers, answer) })
  if (Buffer.byteLength(body) < gzipAbove) {
    return new Response(body, { status, headers: withCookies(headers, answer) })
  }
  headers['vary'] = headers['vary'] ? `${headers['vary']}, accept-encoding` : 'accept-encoding'
  if (!acceptsGzip(request.headers.get('accept-encoding'))) {
    return new Response(body, { status, headers: withCookies(headers, answer) })
  }
  headers['content-encoding'] = 'gzip'
  const packed = answer.gzip?.() ?? gzipText(body)
  return new Response(packed, { status, headers: withCookies(headers, answer) })
}

/** Adds cookies. Only `Headers` can hold several. */
function withCookies(
  plain: Record<string, string>,
  { cookies = [] }: Answer,
): Headers | Record<string, string> {
  if (cookies.length === 0) return plain
  const headers = new Headers(plain)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return headers
}

/** Returns the entity tag of a body. */
export const etagOf = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`

/** Compresses a string, at a level that balances time and size for text. */
export const gzipText = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(gzipSync(text, { level: 4 }))

/** Compares weakly, as If-None-Match requires. */
function matches(header: string | null, etag: string): boolean {
  if (!header) return false
  if (header.trim() === '*') return true
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => bare(tag) === bare(etag))
}

function acceptsGzip(header: string | null): boolean {
  return (header ?? '').split(',').some((part) => {
    const [coding, ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    if (coding !== 'gzip' && coding !== '*') return false
    return !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
