import { describe, expect, it } from 'vitest'
import { readCsv } from './csv.ts'

const read = (text: string) => {
  const { entries } = readCsv(text, 'a.csv', { languages: ['de'], columns: new Map() })
  return entries.map(({ key, value, line }) => [key, value, line])
}

describe('a table of text', () => {
  it.each([
    ['key;de\nA;x,y\nB;x,y\n', ['x,y', 'x,y']],
    ['key,de\nA,"x;y"\nB,"x;y"\n', ['x;y', 'x;y']],
    ['key\tde\nA\ta, b\n', ['a, b']],
    ['key|de\nA|a, b; c\n', ['a, b; c']],
    ['"key";"de, German (de)"\nA;"a\r\nb"\n', ['a\r\nb']],
    ['key;de\r\nA;"a\r\nb"\r\nB;c\r\n', ['a\r\nb', 'c']],
    ['sep=|\nkey|de\nA|a;b,c\n', ['a;b,c']],
    ['key,de\nA,a,,\n', ['a']],
  ])('is divided by the separator of its first row: %j', (text, values) => {
    expect(read(text).map(([, value]) => value)).toEqual(values)
  })

  it.each([
    ['key,de\nA,"a\nb"\nB,Hallo, Welt\n', 4],
    ['key, de\nA, "a, b"\n', 2],
    ['key|de\nA|a|b\n', 2],
  ])('is refused instead of cutting a text off: %j', (text, line) => {
    expect(() => read(text)).toThrow(
      `Cannot read a.csv: a row has more cells than the first row\n  file: a.csv\n  line: ${line}\n`,
    )
  })
})
