import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keyFile } from './key-file.ts'

/** Flattens a nested file as a client would: joins the path to each value with dots. */
function flatten(tree: object, path: readonly string[] = []): [string, unknown][] {
  return Object.entries(tree).flatMap(([segment, part]) =>
    typeof part === 'object'
      ? flatten(part, [...path, segment])
      : [[[...path, segment].join('.'), part]],
  )
}

it('nests at dots', () => {
  expect(keyFile(['A', 'a.b', 'a.c.d'])).toEqual({ A: 'A', a: { b: 'a.b', c: { d: 'a.c.d' } } })
})

it.each([
  [['a', 'a.b'], { a: 'a', 'a.b': 'a.b' }],
  [['a.b', 'a'], { a: 'a', 'a.b': 'a.b' }],
  [['a.b.c', 'a.b', 'a.d'], { a: { b: 'a.b', d: 'a.d' }, 'a.b.c': 'a.b.c' }],
])('keeps %j flat if a prefix of a key is a key itself', (keys, file) => {
  expect(keyFile(keys)).toEqual(file)
})

it('contains every key, with any characters', () => {
  const segment = fc.oneof(
    fc.constantFrom('a', 'b', '', '__proto__', 'constructor', 'toString', '1'),
    fc.string({ maxLength: 3 }).map((text) => text.replaceAll('.', '')),
  )
  const key = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 12 }), (keys) => {
      const file = JSON.parse(JSON.stringify(keyFile(keys))) as object
      const found = flatten(file)
      expect(found.map(([path]) => path).sort()).toEqual([...keys].sort())
      expect(found.every(([path, value]) => path === value)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
