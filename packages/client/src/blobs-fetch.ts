import { type BlobTransport, maxAnswerBytes } from './blobs.ts'
import { readText } from './read-text.ts'
import { BodyTooLargeError } from './transport.ts'

/** The status of a redirect is 0 in browsers and 3xx elsewhere: neither is a success. */
const bare = { redirect: 'manual', referrerPolicy: 'no-referrer' } as const
const withoutCookies = (): RequestInit =>
  // Workers on the edge have no cookies, and refuse the very option.
  'credentials' in Request.prototype ? { ...bare, credentials: 'omit' } : { redirect: 'manual' }

/**
 * Bytes over `fetch`, which cannot tell how far an upload is.
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
        // A longer answer is no answer to a write; its status counts.
        text: await readText(response, maxAnswerBytes).catch((error: unknown) => {
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

/** A stream as a Blob, which a runtime may keep on disk; not every one can send a stream. */
async function collected(source: AsyncIterable<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of source) chunks.push(chunk as Uint8Array<ArrayBuffer>)
  return new Blob(chunks)
}

/** The transport that uploads and downloads use when they are given none. */
export const defaultBlobs = (): BlobTransport => fetchBlobs()
