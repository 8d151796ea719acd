/** Whether it is a complete http(s) address: `new URL` throws for others, and quotes them. */
export const isAddress = (value: unknown): value is string =>
  /^https?:/i.test(value as string) && URL.canParse(value as string)
