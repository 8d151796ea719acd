import { readText } from './read-text.ts'
import type { Transport, TransportResponse } from './transport.ts'

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
      const request = new Request(url, {
        method,
        headers,
        signal,
        // Followed, a redirection would carry the project's headers to another host.
        redirect: 'manual',
        // Workers on the edge have no cookies, and refuse the very option.
        ...('credentials' in Request.prototype ? { credentials: 'include' } : {}),
        ...(body === undefined ? {} : { body }),
      })
      const response = await fetchLike(request)
      const text = await readText(response, maxBytes)
      // Decoders of a runtime hand over what they have of a body that was cut, be it nothing.
      if (
        text === '' &&
        response.status === 200 &&
        Number(response.headers.get('content-length'))
      ) {
        throw new Error('the answer was cut short')
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

/** The transport that a client uses when it is given none. */
export const defaultTransport = (): Transport => fetchTransport()

/** A browser asks the instance first whether it may send a header of ours. */
export const sendsRequestIds = false
