import { expect, it } from 'vitest'
import { memoryOf } from './memory.ts'

const memory = memoryOf([
  { source: 'Save', target: 'Speichern', origin: '1' },
  { source: 'Save changes', target: 'Änderungen speichern', origin: '2' },
  { source: 'Safe', target: 'Tresor', origin: '3' },
  { source: 'Hello {{name}}!', target: 'Hallo {{name}}!', origin: '4' },
  { source: '保存', target: 'Speichern', origin: '5' },
])
const origins = (text: string, minScore = 0.7) =>
  memory.find(text, minScore).map(({ origin }) => origin)

it('finds the same text, and says that it is', () => {
  expect(memory.find('Save', 0.7)).toEqual([
    { source: 'Save', target: 'Speichern', origin: '1', score: 1 },
  ])
})

it.each(['SAVE', ' save ', 'Save …', 'Save:'])('finds %j, which differs in marks only', (text) => {
  expect(memory.find(text, 0.9)).toMatchObject([{ origin: '1', score: 0.98 }])
})

it('finds a text with other placeholders', () => {
  expect(origins('Hello {{user}}')).toEqual(['4'])
})

it('finds a text that is like it, and is less sure', () => {
  const [match] = memory.find('Save change', 0.6)
  expect(match!.origin).toBe('2')
  expect(match!.score).toBeGreaterThan(0.6)
  expect(match!.score).toBeLessThan(0.9)
})

it.each(['Sale', 'Saves', 'Delete', '', '   ', '{{name}}'])('invents nothing for %j', (text) => {
  expect(origins(text)).toEqual([])
})

it('compares texts of languages without spaces', () => {
  expect(origins('保存')).toEqual(['5'])
})
