import { detectUtf16 } from '@servicekit/core'
import { invalidFile } from './format-errors.ts'

/** Code page that is assumed if the language of a file is not known. */
export const westernCodePage = 'windows-1252'

/** Text of a file, and the encoding that it was read in. */
export interface DecodedText {
  readonly text: string
  readonly encoding: string
}

const utf8Mark = [0xef, 0xbb, 0xbf]

/** Encoding in the first line of an XML file, or in the header of a PO file. */
const declarations = [
  /^<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/,
  /^"Content-Type: [^"\n]*charset=([\w.:-]+)/im,
]

/**
 * Decodes a file by its byte order mark or its declaration, as UTF-8 otherwise, and as UTF-16 or
 * in a code page of Windows if it is not UTF-8, which spreadsheets write.
 *
 * @param codePage the one of its language, if that is known.
 * @throws ServicekitError CATALOG_INVALID if it is none of these.
 */
export function decodeText(
  { path, bytes }: { path: string; bytes: Uint8Array },
  codePage = westernCodePage,
): DecodedText {
  const isMarked = utf8Mark.every((byte, index) => bytes[index] === byte)
  const named = isMarked ? 'utf-8' : (detectUtf16(bytes) ?? declaredEncoding(bytes))
  for (const encoding of named === undefined ? ['utf-8', codePage] : [named]) {
    const text = decode(bytes, encoding)
    if (text !== undefined) return { text, encoding }
  }
  throw invalidFile(
    path,
    named === undefined ? 'its encoding cannot be detected' : `it is not encoded in ${named}`,
    { help: 'Save the file as UTF-8.' },
  )
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1000))
  for (const pattern of declarations) {
    const encoding = pattern.exec(start)?.[1]
    // The template of a PO file has a placeholder.
    if (encoding !== undefined && encoding !== 'CHARSET') return encoding
  }
  return undefined
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
  // A code page does not have these, which shows that a file is in another encoding.
  const impossible = encoding.startsWith('windows-') ? /[\0\x80-\x9F]/ : /\0/
  return impossible.test(text) ? undefined : text
}
