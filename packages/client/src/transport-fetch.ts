import { readText } from './read-text.ts'
import type { Transport, TransportResponse } from './transport.ts'

/** Function with the signature of `fetch`: a handler of the platform, a worker binding, a proxy. */
export type FetchLike = (request: Request) => Response | Promise<Response>

/**
 * Creates a transport over `fetch`, for browsers, workers and in-process handlers. Cookies
 * are sent (`credentials: include`), as section 5 rule 2 requires.
 *
 * @param fetchLike The global `fetch` by default, looked up at each call.
 */
export function fetchTransport(
  fetchLike: FetchLike = (request) => globalThis.fetch(request),
): Transport {
  return {
    async send({ method, url, headers, body, signal, maxBytes }): Promise<TransportResponse> {
      const request = new Request(url, {
        method,
        headers,
        signal,
        // Following a redirect would send the project's headers to another host.
        redirect: 'manual',
        // Edge workers have no cookies and reject the `credentials` option.
        ...('credentials' in Request.prototype ? { credentials: 'include' } : {}),
        ...(body === undefined ? {} : { body }),
      })
      const response = await fetchLike(request)
      const text = await readText(response, maxBytes)
      // Runtime decoders return what they have of a truncated body, even if it is nothing.
      if (
        text === '' &&
        response.status === 200 &&
        Number(response.headers.get('content-length'))
      ) {
        throw new Error('the response is truncated')
      }
      const setCookie = response.headers.getSetCookie?.() ?? []
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        ...(setCookie.length > 0 && { setCookie }),
        text,
      }
    },
  }
}
