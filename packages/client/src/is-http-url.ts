import { parseUrl } from '@servicekit/core'

/** Checks for an absolute http(s) URL. */
export const isHttpUrl = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:/i.test(value) && parseUrl(value) !== undefined
