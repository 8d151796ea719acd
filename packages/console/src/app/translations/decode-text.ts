import { ImportError } from './import-error.ts'

/** Text of a file, and the encoding that it was read in. */
export interface DecodedText {
  readonly text: string
  readonly encoding: string
}

const marks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Encoding in the first line of an XML file. */
const declared = /^<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/

/**
 * Decodes a file by its byte order mark or XML declaration, as UTF-8 otherwise, and as Windows-1252
 * if it is not UTF-8, which spreadsheets write.
 *
 * @throws ImportError `encoding` if it is none of these.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [marked] =
    marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? []
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const named = marked ?? declared.exec(start)?.[1]
  for (const encoding of named === undefined ? ['utf-8', 'windows-1252'] : [named]) {
    const text = decode(bytes, encoding)
    if (text !== undefined) return { text, encoding }
  }
  throw new ImportError('encoding', named ?? '')
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
  // No file of translations has these: UTF-16 without a mark, or a byte that Windows-1252 lacks.
  return /[\0\x80-\x9F]/.test(text) ? undefined : text
}
