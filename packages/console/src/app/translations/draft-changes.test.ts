import { expect, it } from 'vitest'
import type { KeyRecord } from '../state/records.ts'
import {
  batchesOf,
  discardOf,
  type DraftChange,
  inverseOf,
  removalOf,
  withChange,
} from './draft-changes.ts'

const row = (more: Partial<KeyRecord> = {}): KeyRecord => ({
  module: 'app',
  key: 'A',
  texts: { en: 'Hello', de: 'Hallo' },
  drafts: {},
  states: {},
  isRemoved: false,
  ...more,
})
const apply = (from: KeyRecord, changes: readonly DraftChange[]) => changes.reduce(withChange, from)

it.each([
  ['without drafts', row()],
  ['with drafts', row({ drafts: { de: 'Servus', fr: null } })],
  ['that is removed', row({ isRemoved: true })],
  ['that is new', row({ texts: {}, drafts: { en: 'New' }, details: { maxLength: 9 } })],
])('restores a key %s after each change', (_, before) => {
  const edit = { module: 'app', key: 'A', language: 'en', value: 'x', expected: 'Hello' }
  for (const change of [removalOf(before), discardOf(before)]) {
    const after = withChange(before, change)
    const inverse = inverseOf(before, change)
    expect(apply(after, inverse)).toEqual(before)
    // The platform compares what each change expects with what is there.
    for (const one of inverse) {
      const served = 'language' in one ? (after.texts[one.language] ?? null) : after.drafts
      expect(one.expected).toEqual(after.isRemoved ? null : served)
    }
  }
  expect(inverseOf(before, edit)).toEqual([{ ...edit, value: 'Hello', expected: 'x' }])
})

it('sends at most 500 changes in a request, and never parts those of one key', () => {
  const changes = Array.from({ length: 1200 }, (_, index) => ({
    module: 'app',
    // Three languages of each key: 500 is in the middle of one.
    key: `K${Math.floor(index / 3)}`,
    language: `l${index % 3}`,
    value: 'x',
    expected: null,
  }))
  const batches = batchesOf(changes)
  expect(batches.map((batch) => batch.length)).toEqual([501, 501, 198])
  expect(batches.flat()).toEqual(changes)
})
