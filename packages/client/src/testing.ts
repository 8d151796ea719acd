/** Test helpers: an in-process Fetch handler instead of the network, and recorded responses. */
import type { BlobTransport } from './blobs.ts'
import { fetchBlobs } from './blobs-fetch.ts'
import { keepCookies } from './cookie-jar.ts'
import { redact, secretsOf } from './redaction.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'
import { fetchTransport, type FetchLike } from './transport-fetch.ts'

export { keepCookies } from './cookie-jar.ts'

/**
 * Creates a transport over a Fetch handler, such as the local platform's; no port is
 * needed. With `cookies` it stores cookies as a browser does, for tests of sessions.
 *
 * ```ts
 * const platform = await createPlatform({ projects: ['fixtures/projects/storefront'] })
 * createClient({ baseUrl: 'http://local', projectKey, transport: handlerTransport(platform.fetch) })
 * ```
 */
export function handlerTransport(
  handler: FetchLike,
  { cookies = false }: { readonly cookies?: boolean } = {},
): Transport {
  return fetchTransport(cookies ? keepCookies(handler) : (request) => handler(request))
}

/**
 * Creates a blob transport over a Fetch handler, for file transfers. The local platform
 * handles the signed URLs of its storage folder itself.
 *
 * ```ts
 * const blobs = handlerBlobs(platform.fetch)
 * await client.storage.upload(file, { blobs })
 * ```
 *
 * @see section 4.4
 */
export const handlerBlobs = (handler: FetchLike): BlobTransport =>
  fetchBlobs((url, init) => handler(new Request(url, init)))

/**
 * Recorded request and response, serializable as JSON. Values of request headers are
 * removed from both.
 */
export interface Recorded {
  readonly method: string
  /** Path and query, without the host. */
  readonly path: string
  readonly body?: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Wraps a transport and records its requests and responses. Cookies and the values of
 * headers that a user set are left out.
 *
 * ```ts
 * const recorder = record(transport)
 * …
 * await writeFile('recorded.json', JSON.stringify(recorder.recorded))
 * ```
 */
export function record(transport: Transport): {
  readonly transport: Transport
  readonly recorded: readonly Recorded[]
} {
  const recorded: Recorded[] = []
  return {
    recorded,
    transport: {
      send: async (request) => {
        const response = await transport.send(request)
        const secrets = secretsOf(request.headers)
        recorded.push({
          ...keyOf(request),
          ...(request.body === undefined ? {} : { body: masked(redact(request.body, secrets)) }),
          status: response.status,
          headers: shownHeaders(response),
          text: masked(redact(response.text, secrets)),
        })
        return response
      },
    },
  }
}

/**
 * Creates a transport that replays a recording. Repeated requests get their responses in
 * the recorded order; the last one repeats.
 *
 * @throws Error with the request that was not recorded.
 */
export function replay(recorded: readonly Recorded[]): Transport {
  const replayed = new Map<string, number>()
  return {
    send: async (request) => {
      const { method, path } = keyOf(request)
      const body = request.body === undefined ? undefined : masked(request.body)
      const matching = recorded.filter(
        (one) => one.method === method && one.path === path && one.body === body,
      )
      const key = JSON.stringify([method, path, body])
      const count = replayed.get(key) ?? 0
      replayed.set(key, count + 1)
      const found = matching[Math.min(count, matching.length - 1)]
      if (!found) throw new Error(`${method} ${path} was not recorded`)
      return { status: found.status, headers: found.headers, text: found.text }
    },
  }
}

function keyOf({ method, url }: TransportRequest): { method: string; path: string } {
  const { pathname, search } = new URL(url)
  return { method, path: pathname + search }
}

/** Removes the values of secret members, in JSON and in forms. */
const masked = (text: string): string =>
  text
    .replaceAll(
      /("(?:[\w-]*(?:secret|password|token)|code|headerKey)"\s*:\s*")(?:[^"\\]|\\.)*/gi,
      '$1[not shown]',
    )
    .replaceAll(/((?:^|&)(?:client_secret|password|refresh_token)=)[^&]*/g, '$1[not shown]')

/** Response headers that a recording keeps. */
const recordedHeaders: ReadonlySet<string> = new Set(['content-type', 'etag', 'retry-after'])

const shownHeaders = ({ headers }: TransportResponse): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => recordedHeaders.has(name)))
