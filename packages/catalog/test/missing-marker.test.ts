import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isMissingMarker, missingMarker } from '@servicekit/contract/limits'

const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t', '\u00a0'), maxLength: 3 })
const word = (text: string) =>
  fc
    .infiniteStream(fc.boolean())
    .map((isUpper) =>
      [...text].map((one) => (isUpper.next().value ? one.toUpperCase() : one)).join(''),
    )

it('the marker of a missing translation is recognised in any case and with any white space', () => {
  expect(isMissingMarker(missingMarker)).toBe(true)
  fc.assert(
    fc.property(
      fc.tuple(space, space, space, space, space),
      fc.tuple(word('key'), word('missing')),
      ([a, b, c, d, e], [key, missing]) => {
        expect(isMissingMarker(`${a}[${b}${key}${c}${missing}${d}]${e}`)).toBe(true)
      },
    ),
  )
})

it('a text around the marker is a translation', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      fc.pre(text.trim() !== '')
      expect(isMissingMarker(text + missingMarker)).toBe(false)
      expect(isMissingMarker(missingMarker + text)).toBe(false)
    }),
  )
  for (const text of ['', '[]', 'KEY MISSING', '[ KEY MISSING', '[ KEY ]']) {
    expect(isMissingMarker(text)).toBe(false)
  }
})
