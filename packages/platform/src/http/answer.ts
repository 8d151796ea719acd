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

/** Makes the response: 304 where the request has the body already, gzip where it is accepted. */
export function toResponse(request: Request, answer: Answer): Response {
  const headers = new Headers(answer.headers)
  for (const cookie of answer.cookies ?? []) headers.append('set-cookie', cookie)
  const etag = headers.get('etag')
  if (etag && answer.status === 200 && matches(request.headers.get('if-none-match'), etag)) {
    headers.delete('content-type')
    return new Response(null, { status: 304, headers })
  }
  if (answer.body === undefined) return new Response(null, { status: answer.status, headers })
  if (Buffer.byteLength(answer.body) < gzipAbove) {
    return new Response(answer.body, { status: answer.status, headers })
  }
  headers.append('vary', 'accept-encoding')
  if (!acceptsGzip(request.headers.get('accept-encoding'))) {
    return new Response(answer.body, { status: answer.status, headers })
  }
  headers.set('content-encoding', 'gzip')
  const body = answer.gzip?.() ?? gzipText(answer.body)
  return new Response(body, { status: answer.status, headers })
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
