import { z } from 'zod'

/** Parses an http or https origin; `https://app.example/` becomes `https://app.example`. */
function parseOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, href, origin } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined
}

/** Creates a schema for strings that `parse` accepts; it returns undefined for others. */
export const parsedString = (parse: (text: string) => string | undefined, expected: string) =>
  z.string().transform((text, context) => {
    const parsed = parse(text)
    if (parsed !== undefined) return parsed
    context.addIssue(`${text} is not ${expected}`)
    return z.NEVER
  })

export const Origin = parsedString(parseOrigin, 'an origin such as https://app.example')

/** Returns the origin of the page that sent a request, from Origin or else from Referer. */
export function pageOrigin(headers: Headers): string | undefined {
  const origin = headers.get('origin')
  if (origin !== null) return origin
  const referer = headers.get('referer')
  if (referer === null) return undefined
  return URL.canParse(referer) ? new URL(referer).origin : referer
}
