import { expect, it } from 'vitest'
import { mergeDraft } from './merge-draft.ts'

const merge = (current: unknown, base: unknown, values: unknown): unknown =>
  JSON.parse(
    mergeDraft(JSON.stringify(current), {
      base: JSON.stringify(base),
      values: JSON.stringify(values),
    }),
  )

it('applies the members that the user changed, and keeps those that someone else changed', () => {
  const base = { name: 'a', roles: ['x'], note: 'n' }
  const current = { name: 'a', roles: ['x', 'y'], note: 'other' }
  expect(merge(current, base, { ...base, name: 'mine', note: 'mine' })).toEqual({
    name: 'mine',
    roles: ['x', 'y'],
    note: 'mine',
  })
  expect(merge(current, base, base)).toEqual(current)
})

it('applies a value that is no object as a whole', () => {
  expect(merge('theirs', 'before', 'mine')).toBe('mine')
  expect(merge(['theirs'], ['before'], ['mine'])).toEqual(['mine'])
})
