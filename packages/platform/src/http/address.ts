import { isLoopbackHost, isLoopbackUrl, withoutFinalDot } from '@servicekit/core'
import type { Context, MiddlewareHandler } from 'hono'
import { isEqualSecret } from '@servicekit/core/node'
import ipaddr from 'ipaddr.js'
import type { ResolvedOptions } from '../options.ts'
import type { AppEnv } from './app-env.ts'
import { rejection } from './responses.ts'

/** Returns the platform's base URL for browsers: `publicUrl`, or the origin of the request. */
export const ownAddress = (
  { publicUrl }: Pick<ResolvedOptions, 'publicUrl'>,
  request: Request,
): URL => new URL(publicUrl ?? new URL(request.url).origin)

/** Headers with which a proxy forwards the sender of a request. */
const forwarding =
  /^(?:via|cf-ray)$|forwarded|original-(?:for|host|url)|(?:real|client|connecting|connection|cluster|user)-?ip$/

function isForwarded(headers: Headers): boolean {
  for (const name of headers.keys()) if (forwarding.test(name)) return true
  return false
}

/** Returns true for a direct request to a loopback name, without proxy and public URL. */
export const isLocalRequest = (
  options: Pick<ResolvedOptions, 'publicUrl'>,
  request: Request,
): boolean =>
  isLoopbackUrl(ownAddress(options, request).origin) &&
  isLoopbackUrl(request.url) &&
  !isForwarded(request.headers)

/** Request with the bindings of the server that received it. */
export interface SentRequest {
  readonly env: AppEnv['Bindings'] | undefined
  readonly req: { readonly raw: Request }
}

/** Returns true if this machine sent the request. Requests in process have no connection. */
export function isFromThisMachine(
  c: SentRequest,
  options: Pick<ResolvedOptions, 'publicUrl'>,
): boolean {
  const sender = c.env?.incoming?.socket.remoteAddress
  if (sender !== undefined) return isLoopbackHost(sender) && isLocalRequest(options, c.req.raw)
  const { publicUrl } = options
  return !isForwarded(c.req.raw.headers) && (publicUrl === undefined || isLoopbackUrl(publicUrl))
}

/** Returns true if the control operations are open to the sender without a token. */
export const isControlOpen = (
  c: SentRequest,
  options: Pick<ResolvedOptions, 'controlToken' | 'publicUrl'>,
): boolean => options.controlToken === undefined && isFromThisMachine(c, options)

/** Returns true for a request with the control token, or of this machine if none is set. */
export function isFromOperator(
  c: SentRequest,
  options: Pick<ResolvedOptions, 'controlToken' | 'publicUrl'>,
): boolean {
  const { controlToken } = options
  if (controlToken === undefined) return isControlOpen(c, options)
  return isEqualSecret(c.req.raw.headers.get('authorization') ?? '', `Bearer ${controlToken}`)
}

/** Sender of a request that has no connection: the program that contains the platform. */
export const inProcess = 'in process'

/** Returns the sender's address. An IPv6 address becomes the /64 network of its subscriber. */
export function senderOf(
  c: Context<AppEnv>,
  { trustProxy }: Pick<ResolvedOptions, 'trustProxy'>,
): string {
  // The proxy appends the last address; clients control the ones before it.
  const forwarded = trustProxy
    ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
    : undefined
  return networkOf(forwarded || (c.env?.incoming?.socket.remoteAddress ?? inProcess))
}

/** Returns an IPv4 address unchanged, and an IPv6 address as its /64 network. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

/**
 * Rejects requests whose `Host` is not a name of this server with 400. Without
 * `publicUrl`, the URLs of sign-ins, invitations and files are built from `Host`, which
 * clients control.
 */
export const checkHost =
  ({
    publicUrl,
    allowedHosts,
  }: Pick<ResolvedOptions, 'publicUrl' | 'allowedHosts'>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { incoming, listenHost } = c.env ?? {}
    // In process, the program itself chooses the URL.
    if (publicUrl !== undefined || incoming === undefined) return next()
    const url = new URL(c.req.url)
    const [host, hostname] = [url.host, url.hostname].map(withoutFinalDot) as [string, string]
    const bare = hostname.replace(/^\[(.*)\]$/, '$1')
    const own = [listenHost?.toLowerCase(), incoming.socket.localAddress?.replace(/^::ffff:/, '')]
    const isKnown =
      isLoopbackHost(hostname) ||
      own.includes(bare) ||
      allowedHosts.has(hostname) ||
      allowedHosts.has(host)
    if (isKnown) return next()
    const message = `The host ${host} is not allowed. Start the platform with --allowed-host ${hostname}, or with --public-url behind a proxy.`
    return rejection(400, message)
  }
