/** Checks for an absolute http(s) URL. `new URL` would throw, and its error quotes the value. */
export const isAddress = (value: unknown): value is string =>
  /^https?:/i.test(value as string) && URL.canParse(value as string)
