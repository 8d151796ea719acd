import { expect, it } from 'vitest'
import { comparable, similarity } from './similarity.ts'

const score = (a: string, b: string, minimum?: number): number =>
  similarity(comparable(a), comparable(b), minimum)

it.each(['SAVE', ' save ', 'Save …', 'Save:'])(
  'ignores case, white space and punctuation in %j',
  (text) => {
    expect(score(text, 'Save')).toBe(1)
  },
)

it('ignores the names of placeholders', () => {
  expect(score('Hello {{user}}', 'Hello {{name}}!')).toBe(1)
})

it('is lower for texts that share only some words', () => {
  expect(score('Save change', 'Save changes')).toBeGreaterThan(0.6)
  expect(score('Save change', 'Save changes')).toBeLessThan(0.9)
})

it.each(['Sale', 'Saves', 'Safe', 'Delete'])('is low for %j, which is another word', (text) => {
  expect(score(text, 'Save')).toBeLessThan(0.6)
})

it('compares characters as words in languages without spaces', () => {
  expect(score('保存', '保存')).toBe(1)
  expect(score('保存', '保持')).toBe(0.5)
})

it('returns 0 below the minimum', () => {
  expect(score('Delete', 'Save', 0.6)).toBe(0)
})

it('normalizes a thousand full stops in linear time', () => {
  expect(comparable(`${'.'.repeat(1000)}x`)).toBe(`${'.'.repeat(1000)}x`)
})
