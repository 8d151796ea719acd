import { isUtf8 } from 'node:buffer'
import { detectUtf16 } from '../utf16.ts'

/** Describes the encoding of a file that is not UTF-8; returns undefined if it is. */
export function encodingProblem(bytes: Buffer): string | undefined {
  const encoding = detectUtf16(bytes)
  if (encoding !== undefined) return `it is encoded as ${encoding.toUpperCase()}; save it as UTF-8`
  return isUtf8(bytes) ? undefined : 'it is not encoded as UTF-8; save it as UTF-8'
}

/**
 * Decodes the content of a file as UTF-8.
 *
 * @throws Error that describes the encoding: read as UTF-8, the text would lose characters.
 */
export function decodeUtf8(bytes: Buffer): string {
  const problem = encodingProblem(bytes)
  if (problem !== undefined) throw new Error(problem)
  return bytes.toString('utf8')
}
