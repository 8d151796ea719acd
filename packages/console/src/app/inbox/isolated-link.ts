const otherName: ReadonlyMap<string, string> = new Map([
  ['localhost', '127.0.0.1'],
  ['127.0.0.1', 'localhost'],
])

/**
 * Returns a link to this platform on the other loopback name. Cookies belong to a host name, so
 * that whoever signs in there does not replace the session of the console. Returns undefined for a
 * link to another program, which may listen on one name only.
 */
export function isolatedLink(link: string, here: Pick<Location, 'host'>): URL | undefined {
  const url = new URL(link)
  const name = otherName.get(url.hostname)
  if (url.host !== here.host || name === undefined) return undefined
  url.hostname = name
  return url
}
