import { parseUrl } from '@servicekit/core'

/** Checks for an absolute http(s) URL. */
export const isHttpUrl = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:$/.test(parseUrl(value)?.protocol ?? '')
