import { BodyTooLargeError, type Transport, type TransportResponse } from './transport.ts'

/** Any function with the form of `fetch`: the platform's own handler, a worker's binding, a proxy. */
export type FetchLike = (request: Request) => Response | Promise<Response>

/**
 * Transport over `fetch`, for browsers, workers and in-process handlers.
 * Cookies are sent (`credentials: include`), as section 5 rule 2 asks.
 *
 * @param fetchLike The global `fetch` by default, looked up at each call.
 */
export function fetchTransport(
  fetchLike: FetchLike = (request) => globalThis.fetch(request),
): Transport {
  return {
    async send({ method, url, headers, body, signal, maxBytes }): Promise<TransportResponse> {
      const response = await fetchLike(
        new Request(url, {
          method,
          headers,
          signal,
          credentials: 'include',
          ...(body === undefined ? {} : { body }),
        }),
      )
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await readText(response, maxBytes),
      }
    },
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      throw new BodyTooLargeError()
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** The transport that a client uses when it is given none. */
export const defaultTransport: () => Transport = fetchTransport
