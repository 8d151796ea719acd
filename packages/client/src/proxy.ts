/**
 * Transport and `fetch` of command-line tools, through the proxy of the environment. A server
 * passes its own dispatcher to `undiciTransport` instead.
 *
 * @module proxy
 */
import { ConfigError } from './errors.ts'
import { networkCode } from './network-code.ts'
import { isLoopbackHost, normaliseHost, withoutFinalDot } from '@servicekit/core'
import type { Dispatcher } from 'undici'
import { BodyTooLargeError, ProxyError, type Transport } from './transport.ts'
import { defaultTransport } from '#network'

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Proxy of a request. */
interface Proxy {
  /** URL without user and password. */
  readonly displayUrl: string
  readonly dispatcher: () => Promise<Dispatcher>
}

/**
 * Creates a transport that sends requests through the proxy of `HTTP_PROXY`, `HTTPS_PROXY` and
 * `NO_PROXY`, in upper or lower case. Requests to this machine are sent directly.
 *
 * @throws ConfigError for a variable that is no URL of a proxy.
 */
export function environmentTransport(environment: Environment = process.env): Transport {
  const direct = defaultTransport()
  const findProxy = proxiesOf(environment)
  if (!findProxy) return direct
  return {
    async send(request) {
      const proxy = findProxy(request.url)
      if (!proxy) return direct.send(request)
      const { undiciTransport } = await import('./transport-undici.ts')
      return undiciTransport(await proxy.dispatcher())
        .send(request)
        .catch((cause: unknown) => {
          throw request.signal.aborted ? cause : proxyError(proxy, cause)
        })
    },
  }
}

/** Creates a `fetch` that sends requests like {@link environmentTransport}. */
export function environmentFetch(environment: Environment = process.env): typeof fetch {
  const findProxy = proxiesOf(environment)
  if (!findProxy) return (input, init) => fetch(input, init)
  return async (input, init) => {
    const request = new Request(input, init)
    const proxy = findProxy(request.url)
    if (!proxy) return fetch(request)
    const through: object = { dispatcher: await proxy.dispatcher() }
    return fetch(request, through).catch((cause: unknown) => {
      throw request.signal.aborted ? cause : proxyError(proxy, cause)
    })
  }
}

function proxyError({ displayUrl }: Proxy, cause: unknown): unknown {
  if (cause instanceof BodyTooLargeError) return cause
  const status = refusalOf(cause)
  const reason = status ?? networkCode(cause)
  const message = `the connection through the proxy ${displayUrl} failed`
  return new ProxyError(reason === undefined ? message : `${message} (${reason})`, {
    cause,
    help:
      status === '407'
        ? 'The proxy requires a user and a password: set HTTP_PROXY and HTTPS_PROXY to http://user:password@host:port.'
        : 'Check HTTP_PROXY and HTTPS_PROXY, and add the host to NO_PROXY if it needs no proxy.',
  })
}

/** Returns the status with which a proxy refused to connect, which undici has in the message only. */
function refusalOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined
  return /^Proxy .*\((\d{3})\)/.exec(cause.message)?.[1] ?? refusalOf(cause.cause)
}

/**
 * Returns the function that finds the proxy of a URL; undefined if the environment has none.
 */
function proxiesOf(environment: Environment): ((url: string) => Proxy | undefined) | undefined {
  // Bun and Deno read the variables themselves.
  if ('Bun' in globalThis || 'Deno' in globalThis) return undefined
  const http = readProxy(environment, 'HTTP_PROXY')
  // As in undici and Node, one proxy serves both unless there are two.
  const https = readProxy(environment, 'HTTPS_PROXY') ?? http
  if (!http && !https) return undefined
  const exceptions = readVariable(environment, 'NO_PROXY').split(/[,\s]+/)
  return (text) => {
    const url = new URL(text)
    const isDirect =
      isLoopbackHost(url.hostname) || exceptions.some((exception) => isMatch(exception, url))
    return isDirect ? undefined : url.protocol === 'https:' ? https : http
  }
}

/** Reads a variable. As in curl, lower case takes precedence, and empty means none. */
const readVariable = (environment: Environment, name: string): string =>
  (environment[name.toLowerCase()] ?? environment[name] ?? '').trim()

function readProxy(environment: Environment, name: string): Proxy | undefined {
  const text = readVariable(environment, name)
  if (text === '') return undefined
  const url = parseProxy(text)
  if (!url) {
    const isSocks = /^socks\w*:\/\//i.test(text)
    // Not the value, which may contain a password.
    throw new ConfigError(`${name} must be the URL of an http or https proxy`, {
      help: `${isSocks ? 'SOCKS proxies are not supported. ' : ''}Set it to http://host:port or http://user:password@host:port, with special characters of the password percent-encoded.`,
    })
  }
  // Proxies rarely tunnel to the port of http, so such requests are sent as a whole.
  const open = async () =>
    new (await import('undici')).ProxyAgent({ uri: url.href, proxyTunnel: false })
  let opened: Promise<Dispatcher> | undefined
  return {
    displayUrl: `${url.protocol}//${url.host}`,
    dispatcher: () => (opened ??= open()),
  }
}

/** Parses `http://user:password@host:port`; without a scheme, as in curl, the proxy speaks http. */
function parseProxy(text: string): URL | undefined {
  const given = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  try {
    decodeURIComponent(url.username + url.password)
    // As in curl, a path means nothing; undici refuses it.
    return Object.assign(url, { pathname: '', search: '', hash: '' })
  } catch {
    return undefined
  }
}

/**
 * Returns whether an entry of `NO_PROXY` names the host of a URL: `*`, `example.com` with the
 * names below it (also as `.example.com` and `*.example.com`), `10.0.0.5`, `[::1]`, each also with
 * a port.
 */
function isMatch(entry: string, url: URL): boolean {
  if (entry === '*') return true
  const [, host = '', port] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? []
  const isBareIpv6 = (entry.match(/:/g) ?? []).length > 1 && !entry.startsWith('[')
  const name = normaliseHost((isBareIpv6 ? `[${entry}]` : host).replace(/^\*?\./, ''))
  if (name === undefined) return false
  if (!isBareIpv6 && port !== undefined && port !== portOf(url)) return false
  const hostname = withoutFinalDot(url.hostname)
  return hostname === name || hostname.endsWith(`.${name}`)
}

const portOf = ({ protocol, port }: URL): string => port || (protocol === 'https:' ? '443' : '80')
