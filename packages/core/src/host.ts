import { parseUrl } from './parse-url.ts'

/**
 * Removes the dot that ends a fully qualified name, which names the same host, from the host of a
 * URL, with or without its port.
 */
export const withoutFinalDot = (host: string): string => host.replace(/\.(?=:\d+$|$)/, '')

/**
 * Returns a host as {@link URL} prints it, so that two spellings of one host are equal: lower case,
 * ASCII, without the port of http and without the final dot. Returns undefined if it is no host.
 *
 * ```ts
 * normaliseHost('Bücher.Example.:80') // 'xn--bcher-kva.example'
 * ```
 */
export function normaliseHost(text: string): string | undefined {
  if (/[\s/\\?#@]/.test(text)) return undefined
  const host = parseUrl(`http://${text}`)?.host
  return host === undefined ? undefined : withoutFinalDot(host)
}
