import { withoutFinalDot } from '@servicekit/core'
import { z } from 'zod'

/** T without anything that can be changed. */
export type DeepReadonly<T> = T extends object
  ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
  : T

/** Integer of a query, of at least `min`. A higher value than `max` counts as `max`. */
export const integer = (min: number, fallback: number, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce
    .number<number | string>()
    .int()
    .min(min)
    .overwrite((value) => Math.min(value, max))
    .default(fallback)

/** Id of a row in a path. */
export const rowId = z.coerce.number<number | string>().int().min(0)

/** Flag of a query, which is false by default. */
export const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).default('false')

/** Instant with its offset, such as `2026-01-31T12:00:00Z`. */
export const instant = z.iso.datetime({ offset: true })

/** Instant of a response. */
export const time = z.string().describe('ISO 8601')

/**
 * Parses an http or https origin; `https://app.example/` and `https://app.example.` become
 * `https://app.example`, which is what browsers send for pages of that host.
 */
export function parseOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, href, origin } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/` ? withoutFinalDot(origin) : undefined
}

/** Creates a schema for strings that `parse` accepts; it returns undefined for others. */
export const parsedString = (parse: (text: string) => string | undefined, expected: string) =>
  z.string().transform((text, context) => {
    const parsed = parse(text)
    if (parsed !== undefined) return parsed
    context.addIssue(`${text} is not ${expected}`)
    return z.NEVER
  })

/** Origin of a browser application, such as `https://app.example`. */
export const Origin = parsedString(parseOrigin, 'an origin such as https://app.example')
