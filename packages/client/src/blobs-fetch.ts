import { type BlobTransport, maxResponseBytes } from './blobs.ts'
import { readText } from './read-text.ts'
import { BodyTooLargeError } from './transport.ts'

/** A redirect has status 0 in browsers and 3xx elsewhere; neither is a success. */
const bare = { redirect: 'manual', referrerPolicy: 'no-referrer' } as const
const withoutCookies = (): RequestInit =>
  // Edge workers have no cookies and reject the `credentials` option.
  'credentials' in Request.prototype ? { ...bare, credentials: 'omit' } : { redirect: 'manual' }

/**
 * Creates a blob transport over `fetch`, which cannot report upload progress.
 *
 * @param send The global `fetch` by default, looked up at each call.
 */
export function fetchBlobs(
  send = (url: string, init: RequestInit): Response | Promise<Response> => fetch(url, init),
): BlobTransport {
  return {
    put: async ({ method = 'PUT', url, headers, body, size, signal, onProgress }) => {
      const whole =
        body instanceof Blob || body instanceof Uint8Array ? body : await collected(body)
      const response = await send(url, {
        ...withoutCookies(),
        method,
        headers,
        body: whole as NonNullable<RequestInit['body']>,
        signal: signal ?? null,
      })
      onProgress(size ?? (whole instanceof Blob ? whole.size : whole.byteLength))
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        // An oversized response body to a write is ignored; the status counts.
        text: await readText(response, maxResponseBytes).catch((error: unknown) => {
          if (!(error instanceof BodyTooLargeError)) throw error
          return ''
        }),
      }
    },
    get: async ({ url, headers, signal }) => {
      const response = await send(url, { ...withoutCookies(), headers, signal: signal ?? null })
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: response.body ?? undefined,
      }
    },
  }
}

/** Collects a stream into a Blob, because not every runtime can send a stream. */
async function collected(source: AsyncIterable<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of source) chunks.push(chunk as Uint8Array<ArrayBuffer>)
  return new Blob(chunks)
}
