/** Compares by code point, independent of the locale. All generated output is sorted this way. */
export const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
