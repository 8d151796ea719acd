import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyRecord } from '../state/records.ts'
import { formatCells, placeCells, planCopy, planPaste, planReplacement } from './bulk-edits.ts'
import { inverseOf } from './draft-changes.ts'
import { parseCells } from '@servicekit/formats'

const row = (key: string, texts: Record<string, string | null>): KeyRecord => ({
  module: 'app',
  key,
  texts,
  drafts: {},
  states: {},
  isRemoved: false,
})
const rows = [row('A', { en: 'Hello', de: 'Hallo' }), row('B', { en: 'World', de: null })]

describe('a paste', () => {
  it('changes only translations that differ, and keeps what an empty cell leaves out', () => {
    const pasted = [
      { module: 'app', key: 'A', language: 'de', value: 'Hallo' },
      { module: 'app', key: 'A', language: 'en', value: '' },
      { module: 'app', key: 'B', language: 'de', value: 'Welt' },
      { module: 'app', key: 'C', language: 'de', value: 'Nichts' },
    ]
    expect(planPaste(rows, pasted)).toEqual([
      { module: 'app', key: 'B', language: 'de', value: 'Welt', expected: null },
    ])
  })
})

it('inserts pasted cells downwards and to the right', async () => {
  const cells = await parseCells('Eins\tOne\r\n"Zwei\nZeilen"\tTwo\tToo far\r\nDrei\r\n')
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

it('formats cells that a paste reads again', async () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('a\tb', '"', 'x\r\ny', ' "q" '))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 4 }),
      async (pairs) => {
        const given = pairs.map(([en, de], index) => row(`K${index}`, { en, de }))
        fc.pre(pairs.flat().every((one) => one !== 'KEY_MISSING'))
        expect(await parseCells(`${formatCells(given, ['en', 'de'])}\r\n`)).toEqual(pairs)
      },
    ),
  )
})
