/**
 * Compares two texts by code point, as a sort function. This is the order of UTF-8 bytes and of
 * the collation "C". The operator `<` compares UTF-16 code units instead: it puts U+10000 before
 * U+E000, because surrogates are smaller.
 */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Moves surrogates behind all other code units. */
const rank = (unit: number): number => (unit >= 0xd8_00 && unit < 0xe0_00 ? unit + 0x1_00_00 : unit)
