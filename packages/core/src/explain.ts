/**
 * Address of the documentation site, with a slash at its end. A release sets it; without it, errors
 * name only the command that explains them.
 */
export const docsUrl: string | undefined = undefined

/** Returns the command that explains an error code, problem code or rule, offline. */
export const explainCommand = (code: string): string => `npx servicekit explain ${code}`

/** Returns the address of the section about a code; undefined without a documentation site. */
export const docsLink = (code: string, site: string | undefined = docsUrl): string | undefined =>
  site === undefined ? undefined : `${site}guides/troubleshooting.html#${code.toLowerCase()}`

/** Returns the last line of an error: the command that explains it, and its address if it has one. */
export function explainLine(code: string, site?: string): string {
  const link = docsLink(code, site)
  return `Run ${explainCommand(code)}${link === undefined ? '' : `, or see ${link}`}`
}
