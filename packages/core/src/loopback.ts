import { parseUrl } from './parse-url.ts'

/**
 * Returns whether a host name or IP address is loopback: `localhost`, a name
 * below it, an address of 127.0.0.0/8, or `::1`.
 *
 * ```ts
 * isLoopbackHost('[::1]') // true
 * isLoopbackHost('127.evil.example') // false
 * ```
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return (
    /^(?:.+\.)?localhost\.?$/.test(name) ||
    name === '::1' ||
    /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name)
  )
}

/** Returns whether a URL is well-formed and its host is loopback. */
export const isLoopbackUrl = (url: string): boolean => isLoopbackHost(parseUrl(url)?.hostname ?? '')
