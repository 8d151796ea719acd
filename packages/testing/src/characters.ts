const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Control characters, line separators, directional marks and the byte order mark. */
export const invisible = [
  ...range(0, 0x1f),
  ...range(0x7f, 0x9f),
  0x61c,
  0x200e,
  0x200f,
  0x2028,
  0x2029,
  0xfeff,
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
].map((code) => String.fromCharCode(code))
