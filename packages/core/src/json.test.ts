import { expect, it } from 'vitest'
import { isObject, parseJson } from './json.ts'

it('accepts objects only, neither arrays nor null', () => {
  const values = [{}, Object.create(null), [], null, undefined, 'text', 1]
  expect(values.map(isObject)).toEqual([true, true, false, false, false, false, false])
})

it('parses JSON, and returns undefined for anything else', () => {
  expect([parseJson('{"a":1}'), parseJson('null'), parseJson('{'), parseJson('')]).toEqual([
    { a: 1 },
    null,
    undefined,
    undefined,
  ])
})
