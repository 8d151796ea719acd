import { gzipSync } from 'node:zlib'

/** An answer before it is fitted to what the request accepts. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Values of `set-cookie`, which is the one header that comes several times. */
  readonly cookies?: readonly string[]
  /** Text of the body; absent where there is none. */
  readonly body?: string
  /** The body as gzip, where it is kept; made when needed otherwise. */
  readonly gzip?: () => Uint8Array<ArrayBuffer>
}

/** Bodies below this many bytes are not worth compressing. */
const gzipAbove = 1024

/** An answer with a JSON body. */
export const json = (value: unknown, status = 200, mediaType = 'application/json'): Answer => ({
  status,
  headers: { 'content-type': `${mediaType}; charset=utf-8` },
  body: JSON.stringify(value),
})

/** Makes a response of what it consists of. */
export type MakeResponse = (
  body: string | Uint8Array<ArrayBuffer> | null,
  init: { readonly status: number; readonly headers: Headers | Record<string, string> },
) => Response

const fetchResponse: MakeResponse = (body, init) => new Response(body, init)

/**
 * Makes the response: 304 where the request has the body already, gzip where it is accepted.
 *
 * @param make how it is made; a server knows a cheaper way than the global class.
 */
export function toResponse(
  request: Request,
  answer: Answer,
  make: MakeResponse = fetchResponse,
): Response {
  const { status, body } = answer
  const headers: Record<string, string> = { ...answer.headers }
  const etag = headers['etag']
  if (etag && status === 200 && matches(request.headers.get('if-none-match'), etag)) {
    delete headers['content-type']
    return make(null, { status: 304, headers: withCookies(headers, answer) })
  }
  if (body === undefined) return make(null, { status, headers: withCookies(headers, answer) })
  if (Buffer.byteLength(body) < gzipAbove) {
    return make(body, { status, headers: withCookies(headers, answer) })
  }
  headers['vary'] = headers['vary'] ? `${headers['vary']}, accept-encoding` : 'accept-encoding'
  if (!acceptsGzip(request.headers.get('accept-encoding'))) {
    return make(body, { status, headers: withCookies(headers, answer) })
  }
  headers['content-encoding'] = 'gzip'
  const packed = answer.gzip?.() ?? gzipText(body)
  return make(packed, { status, headers: withCookies(headers, answer) })
}

/** Only a list of headers can hold several cookies. */
function withCookies(
  plain: Record<string, string>,
  { cookies = [] }: Answer,
): Headers | Record<string, string> {
  if (cookies.length === 0) return plain
  const headers = new Headers(plain)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return headers
}

/** Gzip at a level where time and size are in balance for texts. */
export const gzipText = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(gzipSync(text, { level: 4 }))

/** Weak comparison, as If-None-Match asks for. */
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
