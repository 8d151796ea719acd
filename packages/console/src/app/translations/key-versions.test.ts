import { expect, it } from 'vitest'
import type { TextChangeRecord } from '../state/records.ts'
import { removedTranslations, versionsOf } from './key-versions.ts'

const change = (
  at: string,
  language: string,
  previous: string | null,
  value: string | null,
): TextChangeRecord => ({
  at,
  actor: 'control',
  email: null,
  module: 'm',
  key: 'K',
  language,
  previous,
  value,
  reason: null,
  state: null,
})

it('lists the values that translations had, the newest first, and those before all changes', () => {
  const changes = [
    change('3', 'de', 'b', 'c'),
    change('2', 'en', null, 'x'),
    change('1', 'de', 'a', 'b'),
  ]
  expect(
    versionsOf(changes).map(({ language, value, change: by }) => [language, value, by?.at]),
  ).toEqual([
    ['de', 'c', '3'],
    ['en', 'x', '2'],
    ['de', 'b', '1'],
    ['de', 'a', undefined],
  ])
  expect(versionsOf([])).toEqual([])
})

it('lists states that were set, which do not change the text', () => {
  const reviewed = { ...change('2', 'de', 'b', 'b'), state: 'reviewed' as const }
  const shown = (changes: readonly TextChangeRecord[]) =>
    versionsOf(changes).map(({ value, change: by }) => [value, by?.state])
  expect(shown([reviewed, change('1', 'de', 'a', 'b')])).toEqual([
    ['b', 'reviewed'],
    ['b', null],
    ['a', undefined],
  ])
  expect(shown([reviewed])).toEqual([['b', 'reviewed']])
})

it('finds the translations of a removed key', () => {
  const removal = [change('2', 'de', 'a', null), change('2', 'en', 'x', null)]
  const before = [change('1', 'fr', 'old', null), change('1', 'de', null, 'a')]
  expect(removedTranslations([...removal, ...before])).toEqual([
    { language: 'de', value: 'a' },
    { language: 'en', value: 'x' },
  ])
  expect(removedTranslations([change('3', 'de', null, 'b'), ...removal])).toEqual([])
  expect(removedTranslations([])).toEqual([])
})
