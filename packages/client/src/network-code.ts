/**
 * Returns an error code such as `ECONNREFUSED`, however deep it is nested in causes. The rest
 * of a cause may contain a signature.
 */
export const networkCode = (cause: unknown): string | undefined => {
  if (!(cause instanceof Error)) return undefined
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : networkCode(cause.cause)
}
