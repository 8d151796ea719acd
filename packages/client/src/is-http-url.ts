/** Checks for an absolute http(s) URL. `new URL` would throw, and its error quotes the value. */
export const isHttpUrl = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value)
