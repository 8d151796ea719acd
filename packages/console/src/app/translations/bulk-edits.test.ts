import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyRecord } from '../state/records.ts'
import { formatCells, placeCells, planCopy, planImport, planReplacement } from './bulk-edits.ts'
import { inverseOf } from './draft-changes.ts'
import { formatCsv, parseCells, parseCsv } from './translation-tables.ts'

const row = (key: string, texts: Record<string, string | null>): KeyRecord => ({
  module: 'app',
  key,
  texts,
  drafts: {},
  isRemoved: false,
})
const rows = [row('A', { en: 'Hello', de: 'Hallo' }), row('B', { en: 'World', de: null })]

describe('an import', () => {
  it('changes only known translations that differ, and names the rest', () => {
    const text = 'key;module;de;xx\nA;app;Hallo;?\nB;app;Welt;\nC;app;Nichts;\n'
    expect(planImport(rows, ['en', 'de'], parseCsv(text))).toEqual({
      edits: [{ module: 'app', key: 'B', language: 'de', value: 'Welt', expected: null }],
      unknownKeys: ['app/C'],
      unknownLanguages: ['xx'],
    })
  })

  it('keeps what an empty cell leaves out, and uses the last of two', () => {
    const texts = parseCsv('module,key,en,de\napp,A,,Servus\napp,A,,Moin\n')
    const { edits } = planImport(rows, ['en', 'de'], texts)
    expect(edits.map(({ language, value }) => [language, value])).toEqual([['de', 'Moin']])
  })

  it('names the missing column', () => {
    expect(() => parseCsv('name,de\nA,Hallo\n')).toThrow('csvColumn module')
    expect(() => parseCsv('module,name\n')).toThrow('csvColumn key')
    expect(() => parseCsv('module,key,de\napp,A,"Hallo\n')).toThrow(/^csvLine \d+$/)
  })
})

describe('CSV', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('=1+1', "'=1+1", "''@x", '-', 'a,"b"\n;c\t', '+"', '\uFEFFx', ' x '),
  )

  it('reads every text that it writes', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const given = texts.map((value, index) => row(`K${index}`, { en: value, de: null }))
        const read = parseCsv(formatCsv(given, ['en', 'de']))
        expect(read.filter(({ language }) => language === 'en').map(({ value }) => value)).toEqual(
          texts.map((value) => (value === 'KEY_MISSING' ? '' : value)),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('contains no cell that a spreadsheet runs as a formula', () => {
    const csv = formatCsv([row('A', { en: '=HYPERLINK("x")', de: '\t=1' })], ['en', 'de'])
    expect(csv).not.toMatch(/(^|,)"?[=+\-@\t]/m)
  })
})

it('inserts pasted cells downwards and to the right', () => {
  const cells = parseCells('Eins\tOne\r\n"Zwei\nZeilen"\tTwo\tToo far\r\nDrei\r\n')
  expect(placeCells(cells, rows, ['de', 'en'])).toEqual([
    { module: 'app', key: 'A', language: 'de', value: 'Eins' },
    { module: 'app', key: 'A', language: 'en', value: 'One' },
    { module: 'app', key: 'B', language: 'de', value: 'Zwei\nZeilen' },
    { module: 'app', key: 'B', language: 'en', value: 'Two' },
  ])
})

it('replaces a text literally, and can be taken back', () => {
  const edits = planReplacement(rows, ['en', 'de'], { find: 'l', replacement: '$&' })
  expect(edits.map(({ key, language, value }) => [key, language, value])).toEqual([
    ['A', 'en', 'He$&$&o'],
    ['A', 'de', 'Ha$&$&o'],
    ['B', 'en', 'Wor$&d'],
  ])
  expect(planReplacement(rows, ['en'], { find: '', replacement: 'x' })).toEqual([])
  expect(inverseOf(rows[0]!, edits[0]!)).toMatchObject([{ value: 'Hello', expected: 'He$&$&o' }])
})

it('copies a language to others, and leaves what exists if asked', () => {
  const copied = (isOnlyMissing: boolean) =>
    planCopy(rows, { from: 'en', to: ['de'], isOnlyMissing }).map(({ key, value }) => [key, value])
  expect(copied(true)).toEqual([['B', 'World']])
  expect(copied(false)).toEqual([
    ['A', 'Hello'],
    ['B', 'World'],
  ])
  expect(planCopy(rows, { from: 'de', to: ['en'], isOnlyMissing: false })).toHaveLength(1)
})

it('formats cells that a paste reads again', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('a\tb', '"', 'x\r\ny', ' "q" '))
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 4 }), (pairs) => {
      const given = pairs.map(([en, de], index) => row(`K${index}`, { en, de }))
      fc.pre(pairs.flat().every((one) => one !== 'KEY_MISSING'))
      expect(parseCells(`${formatCells(given, ['en', 'de'])}\r\n`)).toEqual(pairs)
    }),
  )
})
