/*
 * Network of Node: undici for requests, node:http for files. Selected by `#network` in
 * package.json; network-fetch.ts is its counterpart.
 */
import { setMaxListeners } from 'node:events'
import type { BlobTransport } from './blobs.ts'
import { nodeBlobs } from './blobs-node.ts'
import { networkCode } from './network-code.ts'
import type { ConnectionFailure } from './network.ts'
import type { ProxyError, Transport } from './transport.ts'
import { undiciTransport } from './transport-undici.ts'

/** Default transport of a client. */
export const defaultTransport = (): Transport => undiciTransport()

/** Default transport of uploads and downloads. */
export const defaultBlobs = (): BlobTransport => nodeBlobs()

/** Servers may send any header. */
export const sendsRequestIds = true

/** Any number of calls may share a signal; Node warns of a leak at the eleventh listener. */
export function allowListeners(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal)
  } catch {
    // A signal of jsdom or a polyfill, which has no limit.
  }
}

const connectCodes: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

const timeoutCodes: ReadonlySet<string | undefined> = new Set([
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
  'ETIMEDOUT',
  'ETIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** Reads the codes of Node and undici, and the advice of a proxy. */
export function readConnectionFailure(cause: unknown): ConnectionFailure {
  const code = networkCode(cause)
  const isKnown = { isTimeout: timeoutCodes.has(code), neverSent: connectCodes.has(code) }
  // By a member, because tools contain a copy of the class.
  const { help, message } = (cause ?? {}) as Partial<ProxyError>
  if (help !== undefined && message !== undefined) return { ...isKnown, reason: message, help }
  return code === undefined ? isKnown : { ...isKnown, reason: `the connection failed (${code})` }
}
