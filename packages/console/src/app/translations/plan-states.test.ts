import { expect, it } from 'vitest'
import type { KeyRecord } from '../state/records.ts'
import { stateOf, withState } from './key-values.ts'
import { cellsForState, planStates } from './plan-states.ts'

const row = (key: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  module: 'm',
  key,
  texts: { en: 'Save', de: 'Speichern', fr: null, nl: '[Key missing]' },
  drafts: {},
  states: {},
  isRemoved: false,
  ...more,
})
const languages = ['en', 'de', 'fr', 'nl']

it('tells the state of a translation by its current text and its stored state', () => {
  expect(languages.map((code) => stateOf(row('A'), code))).toEqual([
    'translated',
    'translated',
    'untranslated',
    'untranslated',
  ])
  const drafted = row('A', { drafts: { de: '', fr: 'Garder' }, states: { fr: 'reviewed' } })
  expect(stateOf(drafted, 'de')).toBe('untranslated')
  expect(stateOf(drafted, 'fr')).toBe('reviewed')
})

it('changes the state of one language, and stores no state that the text tells', () => {
  const change = { module: 'm', key: 'A', language: 'de', expected: 'Speichern' }
  const before = row('A', { states: { en: 'reviewed' } })
  const reviewed = withState(before, { ...change, state: 'reviewed' })
  expect(reviewed.states).toEqual({ en: 'reviewed', de: 'reviewed' })
  expect(withState(reviewed, { ...change, state: 'translated' }).states).toEqual({ en: 'reviewed' })
})

it('leaves out texts that are missing, removed or already in the state', () => {
  const rows = [
    row('A'),
    row('B', { states: { de: 'reviewed' } }),
    row('C', { isRemoved: true }),
    row('D', { states: { de: 'needsReview' } }),
  ]
  const ids = (...parameters: Parameters<typeof cellsForState>) =>
    cellsForState(...parameters).map((cell) => `${cell.row.key} ${cell.language}`)
  expect(ids(rows, ['de', 'fr'], 'reviewed', 'all')).toEqual(['A de', 'D de'])
  expect(ids(rows, ['de', 'fr'], 'translated', 'all')).toEqual(['B de', 'D de'])
  expect(ids(rows, ['de', 'fr'], 'reviewed', 'needsReview')).toEqual(['D de'])
})

it('names the texts that a state is for', () => {
  const drafted = row('A', { drafts: { de: 'Sichern', en: null } })
  expect(planStates([{ row: drafted, language: 'de' }], 'reviewed', 'en')).toEqual([
    { module: 'm', key: 'A', language: 'de', state: 'reviewed', expected: 'Sichern', source: null },
  ])
})
