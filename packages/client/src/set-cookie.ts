/** Cookie of a `Set-Cookie` header. */
export interface ReceivedCookie {
  readonly name: string
  readonly value: string
  readonly path: string | undefined
  readonly domain: string | undefined
  /** True if the header deletes the cookie. `Max-Age` takes precedence over `Expires`. */
  readonly isExpired: boolean
}

/**
 * Parses a `Set-Cookie` header (RFC 6265, section 5.2); undefined if it contains no name.
 * Own code, because set-cookie-parser (9 kB) leaves the expiry to its caller, and
 * tough-cookie is a complete jar.
 */
export function parseSetCookie(header: string): ReceivedCookie | undefined {
  const [pair = '', ...rest] = header.split(';')
  const cookie = parsePair(pair)
  if (!cookie) return undefined
  const attributes = new Map(
    rest.map((one) => parsePair(one)).map((one) => [one?.name.toLowerCase(), one?.value]),
  )
  const maxAge = attributes.get('max-age') ?? ''
  return {
    ...cookie,
    path: attributes.get('path') || undefined,
    domain: attributes.get('domain') || undefined,
    isExpired: /^-?\d+$/.test(maxAge)
      ? Number(maxAge) <= 0
      : Date.parse(attributes.get('expires') ?? '') < Date.now(),
  }
}

/** Parses `name=value`. */
export function parsePair(
  text: string,
): { readonly name: string; readonly value: string } | undefined {
  const at = text.indexOf('=')
  const name = text.slice(0, at).trim()
  return at > 0 && name ? { name, value: text.slice(at + 1).trim() } : undefined
}
