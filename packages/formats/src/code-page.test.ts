import { describe, expect, it } from 'vitest'
import { readTranslations } from './read-translations.ts'

/** Encodes a text in a code page, by decoding all of its bytes. */
function encode(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const bytes = new Map<string, readonly number[]>()
  for (let first = 0; first < 256; first++) {
    const one = decoder.decode(Uint8Array.of(first))
    if (one.length === 1 && one !== '\uFFFD') bytes.set(one, [first])
    if (first < 128) continue
    for (let second = 64; second < 256; second++) {
      const two = decoder.decode(Uint8Array.of(first, second))
      if (two.length === 1 && two !== '\uFFFD') bytes.set(two, [first, second])
    }
  }
  return Uint8Array.from([...text].flatMap((character) => bytes.get(character)!))
}

const read = async (path: string, text: string, encoding: string) => {
  const bytes = encode(text, encoding)
  const [file] = await readTranslations({ path, bytes }, { languages: ['en', 'de', 'ru'] })
  return [file!.encoding, file!.entries.map(({ value }) => value)]
}

describe('a file of Windows that is not UTF-8', () => {
  it.each([
    ['ru', 'windows-1251', 'Сохранить'],
    ['ru-RU', 'windows-1251', 'Ёлка №5'],
    ['uk', 'windows-1251', 'Їжак'],
    ['sr-Cyrl', 'windows-1251', 'Сачувај'],
    ['sr-Latn', 'windows-1250', 'Sačuvaj'],
    ['pl', 'windows-1250', 'Usuń zażółć'],
    ['hu', 'windows-1250', 'Tűzfő'],
    ['el', 'windows-1253', 'Αποθήκευση'],
    ['tr', 'windows-1254', 'Şifre değiştir'],
    ['lt', 'windows-1257', 'Išsaugoti žinutę'],
    ['he', 'windows-1255', 'שמור'],
    ['ar', 'windows-1256', 'حفظ'],
    ['th', 'windows-874', 'บันทึก'],
    ['ja', 'shift_jis', '保存'],
    ['zh-CN', 'gb18030', '保存'],
    ['zh-TW', 'big5', '取消'],
    ['ko', 'euc-kr', '저장'],
    ['de', 'windows-1252', 'Größe'],
    ['fr-CA', 'windows-1252', 'Où êtes-vous'],
    ['x-own', 'windows-1252', 'Größe'],
  ])('is read in the code page of its language: %s in %s', async (language, encoding, text) => {
    expect(await read(`${language}/shop.csv`, `key,value\nA,Save\nB,${text}\n`, encoding)).toEqual([
      encoding,
      ['Save', text],
    ])
  })

  it('is read in the code page of the column that is not ASCII', async () => {
    const table = 'key,en,de,ru\nA,Save,Ja,Да\n'
    expect(await read('shop.csv', table, 'windows-1251')).toEqual([
      'windows-1251',
      ['Save', 'Ja', 'Да'],
    ])
  })

  it('is refused if no code page has the letters of its languages', async () => {
    const table = 'key,de,ru\nA,Größe,Äö\n'
    await expect(read('shop.csv', table, 'windows-1252')).rejects.toThrow(
      /encoding cannot be detected: windows-1252, windows-1251[^]*Save the file as UTF-8/,
    )
  })

  it('is never read in another code page if its language is not known', async () => {
    expect(await read('shop.csv', 'key,value\nA,Größe\n', 'windows-1252')).toEqual([
      'windows-1252',
      ['Größe'],
    ])
  })
})
