/** Address of the documentation site; `homepage` of the repository's package.json is the same. */
export const docsUrl = 'https://servicekit.example/'

/** Returns the address of the section about an error code, problem code or rule. */
export const docsLink = (code: string): string =>
  `${docsUrl}guides/troubleshooting.html#${code.toLowerCase()}`

/**
 * Adds the address of the section about its code to the message of an error of this toolkit.
 * Commands and plugins do so where they print errors; other programs get the code.
 */
export function addDocsLink(error: unknown): unknown {
  const isOurs = error instanceof Error && 'details' in error && 'code' in error
  if (!isOurs) return error
  // Read first: the stack may be formatted on its first use.
  const { message, stack } = error
  error.message = `${message}\nSee ${docsLink(String(error.code))}`
  // Rolldown prints the stack, which contains the message.
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
  return error
}
