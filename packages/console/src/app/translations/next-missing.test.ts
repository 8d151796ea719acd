import { expect, it } from 'vitest'
import type { KeyRecord } from '../state/records.ts'
import { createNextMissing } from './next-missing.ts'

const row = (key: string, de: string): KeyRecord => ({
  module: 'm',
  key,
  texts: { en: key, de },
  drafts: {},
  states: {},
  isRemoved: false,
})
const rows = [row('A', 'a'), row('B', ''), row('C', ''), row('D', '')]
const languages = ['en', 'de']

it('finds the cell that Enter moved to, and then the one after it', () => {
  const next = createNextMissing(() => rows)
  expect(next(rows, languages, { row: 0, column: 0 })).toEqual({ row: 1, column: 2 })
  const saved = rows.with(1, row('B', 'b'))
  // Enter has moved the focus to the next row.
  expect(next(saved, languages, { row: 2, column: 2 })).toEqual({ row: 2, column: 2 })
  expect(next(saved, languages, { row: 2, column: 2 })).toEqual({ row: 3, column: 2 })
  expect(next(saved, languages, { row: 3, column: 2 })).toEqual({ row: 2, column: 2 })
})

it('finds a key that is no plural form in the application', () => {
  const forms = [row('ITEMS_one', 'a'), row('ITEMS_few', ''), row('ITEMS_other', 'a')]
  const start = { row: 0, column: 0 }
  expect(createNextMissing(() => forms)(forms, languages, start)).toBeUndefined()
  const noPlural = { m: ['ITEMS'] }
  const next = createNextMissing(
    () => forms,
    () => noPlural,
  )
  expect(next(forms, languages, start)).toEqual({ row: 1, column: 2 })
})

it('finds nothing if nothing is missing', () => {
  const next = createNextMissing(() => rows)
  expect(next([], languages, { row: 0, column: 0 })).toBeUndefined()
  expect(next([row('A', 'a')], languages, { row: 0, column: 2 })).toBeUndefined()
})
