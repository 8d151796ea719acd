/** Encoding of a file that Windows programs call Unicode. */
export type Utf16 = 'utf-16le' | 'utf-16be'

/** Detects UTF-16 by its byte order mark, or by the zero bytes of Latin characters. */
export function detectUtf16(bytes: Uint8Array): Utf16 | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const start = bytes.subarray(0, 1000)
  const zeros = { even: 0, odd: 0 }
  for (const [index, byte] of start.entries()) {
    if (byte === 0) zeros[index % 2 === 0 ? 'even' : 'odd']++
  }
  if (zeros.even + zeros.odd <= start.length / 4) return undefined
  return zeros.even > zeros.odd ? 'utf-16be' : 'utf-16le'
}
