/** Returns the origin of the page that sent a request, from Origin or else from Referer. */
export function pageOrigin(headers: Headers): string | undefined {
  const origin = headers.get('origin')
  if (origin !== null) return origin
  const referer = headers.get('referer')
  if (referer === null) return undefined
  return URL.canParse(referer) ? new URL(referer).origin : referer
}
