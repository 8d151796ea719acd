/*
 * Network of browsers, workers, Deno and Bun: `fetch`. Selected by `#network` in package.json;
 * network-node.ts is its counterpart.
 */
import type { BlobTransport } from './blobs.ts'
import { fetchBlobs } from './blobs-fetch.ts'
import { withXhrUploads } from './blobs-xhr.ts'
import { withTabId } from './browser-tab.ts'
import type { ConnectionFailure } from './network.ts'
import type { Transport } from './transport.ts'
import { fetchTransport } from './transport-fetch.ts'

/** Default transport of a client. */
export const defaultTransport = (): Transport => {
  const { send } = fetchTransport()
  return { send: (request) => send(withTabId(request)) }
}

/** Default transport of uploads and downloads. */
export const defaultBlobs = (): BlobTransport => withXhrUploads(fetchBlobs())

/** A custom header would cause a CORS preflight and must be allowed by the instance. */
export const sendsRequestIds = false

/** Only Node limits the listeners of a signal. */
export const allowListeners = (_signal: AbortSignal): void => undefined

/** `fetch` reports only that a request failed. */
export const readConnectionFailure = (_cause: unknown): ConnectionFailure => ({})
