import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../test/arbitrary.ts'
import { normaliseFile } from './normalise.ts'

const place = { language: 'de-DE', module: 'auth' }
const read = (json: string, language = 'de-DE') => {
  const { texts, problems } = normaliseFile(JSON.parse(json) as Record<string, unknown>, {
    ...place,
    language,
  })
  return { texts: [...texts], problems: problems.map(({ code, key }) => `${code} ${key}`) }
}

describe('normaliseFile', () => {
  it.each([
    [
      'texts as they are, sorted',
      '{"B": " x\\n", "A": "", "a": "{{n}}"}',
      [
        ['A', ''],
        ['B', ' x\n'],
        ['a', '{{n}}'],
      ],
      [],
    ],
    [
      'what nobody has written',
      '{"A": "[ KEY MISSING ]", "B": null}',
      [
        ['A', null],
        ['B', null],
      ],
      [],
    ],
    [
      'almost the marker',
      '{"A": "[KEY MISSING]", "B": " [ KEY MISSING ]"}',
      [
        ['A', '[KEY MISSING]'],
        ['B', ' [ KEY MISSING ]'],
      ],
      [],
    ],
    [
      'numbers and booleans',
      '{"A": 7, "B": false, "C": 1e21}',
      [
        ['A', '7'],
        ['B', 'false'],
        ['C', '1e+21'],
      ],
      ['NOT_A_TEXT A', 'NOT_A_TEXT B', 'NOT_A_TEXT C'],
    ],
    ['an array', '{"A": ["x"]}', [['A', null]], ['NOT_A_TEXT A']],
    [
      'nested texts',
      '{"a": {"b": "x", "c": {"d": 1}}}',
      [
        ['a.b', 'x'],
        ['a.c.d', '1'],
      ],
      ['NESTED_TEXT a', 'NOT_A_TEXT a.c.d'],
    ],
    [
      'a flat key beside its nested twin',
      '{"a": {"b": "nested"}, "a.b": "flat"}',
      [['a.b', 'flat']],
      ['NESTED_TEXT a', 'NESTED_TEXT a.b'],
    ],
    [
      'an empty object',
      '{"a": {}, "b": {"c": {}}}',
      [
        ['a', null],
        ['b.c', null],
      ],
      ['NESTED_TEXT a', 'NOT_A_TEXT a', 'NESTED_TEXT b', 'NOT_A_TEXT b.c'],
    ],
    ['the empty key', '{"": "x", "A": "y"}', [['A', 'y']], ['INVALID_KEY ']],
    [
      'names of Object',
      '{"__proto__": "p", "constructor": "c", "toString": null}',
      [
        ['__proto__', 'p'],
        ['constructor', 'c'],
        ['toString', null],
      ],
      [],
    ],
    [
      '__proto__ with texts inside',
      '{"__proto__": {"a": "x"}}',
      [['__proto__.a', 'x']],
      ['NESTED_TEXT __proto__'],
    ],
    [
      'numbers as keys',
      '{"10": "ten", "9": "nine", "A": "x"}',
      [
        ['10', 'ten'],
        ['9', 'nine'],
        ['A', 'x'],
      ],
      [],
    ],
    ['nothing', '{}', [], []],
  ])('reads %s', (_, json, texts, problems) => {
    expect(read(json)).toEqual({ texts, problems })
  })

  it('expects the file of the language `key` to be nested', () => {
    expect(read('{"a": {"b": "a.b"}, "C": "C"}', 'key')).toEqual({
      texts: [
        ['C', 'C'],
        ['a.b', 'a.b'],
      ],
      problems: [],
    })
  })

  it('is not brought down by nesting without end', () => {
    const deep = `${'{"a":'.repeat(5000)}"x"${'}'.repeat(5000)}`
    const { texts, problems } = read(deep)
    expect(texts).toHaveLength(1)
    expect(problems).toContainEqual(expect.stringMatching(/^NOT_A_TEXT a\.a/))
  })

  it('says where a fault is', () => {
    const { problems } = normaliseFile({ A: 7 }, place)
    expect(problems).toEqual([
      {
        severity: 'warning',
        code: 'NOT_A_TEXT',
        ...place,
        key: 'A',
        message: 'is the number 7; used as text',
      },
    ])
  })

  it('loses no key and no text, whatever comes', () => {
    const value = fc.oneof(
      anyText,
      fc.constant(null),
      fc.integer(),
      fc.boolean(),
      fc.constant([]),
      fc.constant({}),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, value)), (entries) => {
        const unique = [...new Map(entries)]
        const raw = JSON.parse(
          `{${unique.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join()}}`,
        ) as Record<string, unknown>
        const { texts, problems } = normaliseFile(raw, place)
        const keys = [...texts.keys()]
        expect(keys).toEqual([...keys].sort())
        expect(new Set([...keys, ''])).toEqual(new Set([...unique.map(([key]) => key), '']))
        const written = unique.filter(([key, text]) => typeof text === 'string' && key !== '')
        expect(written.map(([key]) => texts.get(key))).toEqual(
          written.map(([, text]) => (text === '[ KEY MISSING ]' ? null : text)),
        )
        const odd = unique.filter(([, text]) => typeof text !== 'string' && text !== null)
        const told = new Set(problems.map(({ key }) => key))
        expect(odd.filter(([key]) => !told.has(key))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('never falls over what JSON can say', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, fc.jsonValue({ maxDepth: 5 })), (raw) => {
        for (const text of normaliseFile(raw, place).texts.values()) {
          expect(text === null || typeof text === 'string').toBe(true)
        }
      }),
    )
  })
})
