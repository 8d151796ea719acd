import { expect, it } from 'vitest'
import { InvalidText, textOf, valueOf } from './field-text.ts'

const field = (type: string, isArray = false) => ({ type, isArray })

it.each([
  [field('String'), ' Cup '],
  [field('Int'), 12],
  [field('Float'), 1.5],
  [field('Long'), 9_007_199_254_740_991],
  [field('Long'), -(2n ** 63n)],
  [field('Long', true), [9_007_199_254_740_993n, 1]],
  [field('Boolean'), false],
  [field('DateTime'), '2026-02-03T04:05:06.007Z'],
  [field('String', true), ['a', 'b']],
  [field('GeoJson'), { type: 'Point', coordinates: [1, 2] }],
  [field('String'), null],
  [field('Int', true), null],
])('returns the value of %j that its editor shows', (one, value) => {
  expect(valueOf(one, textOf(one, value))).toEqual(value)
})

it.each([
  [field('Int'), '1.5'],
  [field('Long'), '9223372036854775808'],
  [field('Long'), '1.5'],
  [field('Float'), 'much'],
  [field('DateTime'), 'soon'],
  [field('String', true), '[1'],
])('refuses %j with the text %s', (one, text) => {
  expect(() => valueOf(one, text)).toThrow(InvalidText)
})
