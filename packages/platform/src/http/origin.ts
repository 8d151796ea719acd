import { z } from 'zod'

/**
 * Parses an origin, such as `https://app.example` from `https://app.example/`. Returns
 * undefined if it is not an http or https origin.
 */
export function parseOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, href, origin } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined
}

/** Schema of the origins of a project's browser applications. */
export const Origins = z.array(
  z.string().transform((text, context) => {
    const origin = parseOrigin(text)
    if (origin !== undefined) return origin
    context.addIssue(`${text} is not an origin such as https://app.example`)
    return z.NEVER
  }),
)

/** Returns the origin of the page that sent a request, from Origin or else from Referer. */
export function pageOrigin(headers: Headers): string | undefined {
  const origin = headers.get('origin')
  if (origin !== null) return origin
  const referer = headers.get('referer')
  if (referer === null) return undefined
  return URL.canParse(referer) ? new URL(referer).origin : referer
}
