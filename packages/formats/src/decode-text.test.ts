import { ServicekitError } from '@servicekit/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

const bytesOf = (text: string, encoding: BufferEncoding): Uint8Array => Buffer.from(text, encoding)
const decode = (bytes: Uint8Array) => decodeText({ path: 'de.csv', bytes })

describe('decodeText', () => {
  it.each([
    ['UTF-8', bytesOf('Größe €', 'utf8'), 'utf-8'],
    ['UTF-8 with a mark', bytesOf('\uFEFFGröße €', 'utf8'), 'utf-8'],
    ['UTF-16 with a mark', bytesOf('\uFEFFGröße €', 'utf16le'), 'utf-16le'],
    ['UTF-16 without a mark', bytesOf('Größe €', 'utf16le'), 'utf-16le'],
    ['big-endian UTF-16', Buffer.from(bytesOf('Größe €', 'utf16le')).swap16(), 'utf-16be'],
    ['Windows-1252', bytesOf('Größe é', 'latin1'), 'windows-1252', 'Größe é'],
  ])('reads %s', (_, bytes, encoding, text = 'Größe €') => {
    expect(decode(bytes)).toEqual({ text, encoding })
  })

  it('reads the encoding that an XML file declares', () => {
    const bytes = bytesOf('<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb9</a>', 'latin1')
    expect(decode(bytes).text).toContain('<a>š</a>')
  })

  it('reads the encoding that the header of a PO file declares', () => {
    const head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=ISO-8859-2\\n"\n'
    expect(decode(bytesOf(`${head}\nmsgid "a"\nmsgstr "\xb9"\n`, 'latin1')).text).toContain('"š"')
  })

  it.each([
    ['a byte that Windows-1252 lacks', Uint8Array.from([65, 0x81, 0xff])],
    [
      'a declared encoding that is not that of the file',
      bytesOf('<?xml version="1.0" encoding="utf-8"?><a>\xfc</a>', 'latin1'),
    ],
    ['an unknown encoding', bytesOf('<?xml version="1.0" encoding="klingon"?><a/>', 'latin1')],
    ['bytes after the mark of UTF-8 that are not UTF-8', Uint8Array.from([0xef, 0xbb, 0xbf, 0xff])],
  ])('refuses %s, and says how to fix it', (_, bytes) => {
    expect(() => decode(bytes)).toThrow(/^Cannot read de\.csv: .*encod[^]*Save the file as UTF-8/)
  })

  it('reads every text that is written as UTF-8, and never adds U+FFFD', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/[\0\uFEFF]|^<\?xml/.test(text))
        expect(decode(bytesOf(text, 'utf8')).text).toBe(text)
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ max: 255, maxLength: 40 }), (bytes) => {
        let text = ''
        try {
          ;({ text } = decode(bytes))
        } catch (error) {
          if (!(error instanceof ServicekitError)) throw error
        }
        const isWritten = Buffer.from(bytes).includes(Buffer.from('\uFFFD'))
        const isUtf16 =
          Buffer.from(bytes).includes(0) ||
          /^(?:\xff\xfe|\xfe\xff)/.test(Buffer.from(bytes).toString('latin1'))
        expect(text.includes('\uFFFD') && !isWritten && !isUtf16).toBe(false)
      }),
    )
  })
})
