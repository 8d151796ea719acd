import { expect, it } from 'vitest'
import type { KeyRecord } from '../state/records.ts'
import { groupOf, siblingsOf } from './key-group.ts'
import type { NoPlural } from './key-values.ts'

const rows = [
  'ITEM',
  'ITEM_one',
  'ITEM_other',
  'PLACE_ordinal_one',
  'PLACE_ordinal_other',
  'STEP_one',
  'TYPE_one',
  'TYPE_other',
].map((key): KeyRecord => ({
  module: 'm',
  key,
  texts: {},
  drafts: {},
  states: {},
  isRemoved: false,
}))

const messageOf = (key: string, noPlural?: NoPlural) => {
  const row = rows.find((one) => one.key === key)!
  const group = groupOf(row, siblingsOf(row, rows), noPlural)
  return [group.key, group.plural ? [...group.plural.values()] : undefined]
}

it('finds the message that an application makes of a key', () => {
  expect(messageOf('ITEM_one')).toEqual(['ITEM', ['ITEM_one', 'ITEM_other']])
  expect(messageOf('ITEM')).toEqual(['ITEM', undefined])
  expect(messageOf('PLACE_ordinal_one')).toEqual([
    'PLACE_ordinal',
    ['PLACE_ordinal_one', 'PLACE_ordinal_other'],
  ])
  expect(messageOf('STEP_one')).toEqual(['STEP_one', undefined])
})

it('respects the names whose keys are messages of their own', () => {
  expect(messageOf('TYPE_one', { other: ['TYPE'] })[0]).toBe('TYPE')
  expect(messageOf('TYPE_one', { m: ['TYPE'] })).toEqual(['TYPE_one', undefined])
  const named = { ...rows[6]!, module: 'constructor' }
  expect(groupOf(named, [named], {}).key).toBe('TYPE_one')
})
