/** Returns why the database cannot store a string, or undefined if it can. */
export function stringProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'contains the character U+0000, which the database cannot store'
  if (/\p{Surrogate}/u.test(text)) return 'contains half of a surrogate pair'
  return undefined
}
