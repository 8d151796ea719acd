/** Creates an error response that the pages of the console show. */
export const problem = (status: number, title: string): Response =>
  new Response(JSON.stringify({ title, status }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })

export const notFound = (): Response => problem(404, 'There is nothing at this address.')

export const redirect = (location: string): Response =>
  new Response(null, { status: 302, headers: { location } })

/** Adds the headers of a response that only its requester may see. */
export function secured(response: Response): Response {
  // Headers of a response that the platform created may be immutable.
  const headers = new Headers(response.headers)
  headers.set('cache-control', 'no-store')
  headers.set('x-content-type-options', 'nosniff')
  headers.set('cross-origin-resource-policy', 'same-origin')
  return new Response(response.body, { status: response.status, headers })
}
