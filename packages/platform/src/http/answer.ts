import { createHash } from 'node:crypto'

/** Response as data, which handlers return. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Values of `set-cookie`, the only header that can occur several times. */
  readonly cookies?: readonly string[]
  /** Body; absent if there is none. */
  readonly body?: string
}

/** Creates an answer with a JSON body. */
export const json = (value: unknown, status = 200, mediaType = 'application/json'): Answer => ({
  status,
  headers: { 'content-type': `${mediaType}; charset=utf-8` },
  body: JSON.stringify(value),
})

/** Creates the response: 304 if the client already has the body. */
export function toResponse(request: Request, answer: Answer): Response {
  const { status, cookies = [], body } = answer
  const headers = new Headers(answer.headers)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  const etag = headers.get('etag')
  if (etag !== null && status === 200 && matches(request.headers.get('if-none-match'), etag)) {
    headers.delete('content-type')
    return new Response(null, { status: 304, headers })
  }
  // Small bodies are not compressed, which is decided by their length.
  if (body !== undefined) headers.set('content-length', String(Buffer.byteLength(body)))
  return new Response(body ?? null, { status, headers })
}

/** Returns the entity tag of a body. */
export const etagOf = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`

/** Compares weakly, as If-None-Match requires. */
function matches(header: string | null, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '')
  return (header ?? '').split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
}
