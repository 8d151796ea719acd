/**
 * Returns true if a page of this origin sent a request, or no page at all. Pages cannot forge
 * `Sec-Fetch-Site` and `Origin`. A request that changes something must have one of them.
 */
export function isSameOrigin(
  { headers, method }: Pick<Request, 'headers' | 'method'>,
  ownOrigin: string,
): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  const origin = headers.get('origin')
  if (origin !== null) return origin === ownOrigin
  return site !== null || method === 'GET'
}
