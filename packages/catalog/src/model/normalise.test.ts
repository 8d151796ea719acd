import { isMissingMarker } from '@servicekit/contract/limits'
import { byCodePoint } from '@servicekit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/arbitrary.ts'
import { normaliseFile } from './normalise.ts'

const place = { language: 'de-DE', module: 'auth' }
const read = (json: string, language = 'de-DE') => {
  const { translations, problems } = normaliseFile(JSON.parse(json) as Record<string, unknown>, {
    ...place,
    language,
  })
  return {
    translations: [...translations],
    problems: problems.map(({ code, key }) => `${code} ${key}`),
  }
}

describe('normaliseFile', () => {
  it.each([
    [
      'strings unchanged and sorted',
      '{"B": " x\\n", "A": "", "a": "{{n}}"}',
      [
        ['A', ''],
        ['B', ' x\n'],
        ['a', '{{n}}'],
      ],
      [],
    ],
    [
      'missing translations',
      '{"A": "[ KEY MISSING ]", "B": null}',
      [
        ['A', null],
        ['B', null],
      ],
      [],
    ],
    [
      'the marker in other spellings',
      '{"A": "[KEY MISSING]", "B": " [ Key missing ]\\r\\n", "C": "[\\u00a0key\\tmissing]", "D": "[ KEYMISSING ]"}',
      [
        ['A', null],
        ['B', null],
        ['C', null],
        ['D', null],
      ],
      [],
    ],
    [
      'texts that contain the marker',
      '{"A": "[ KEY MISSING ] now", "B": "KEY MISSING", "C": "Error: [ KEY MISSING ]"}',
      [
        ['A', '[ KEY MISSING ] now'],
        ['B', 'KEY MISSING'],
        ['C', 'Error: [ KEY MISSING ]'],
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
      ['INVALID_TRANSLATION A', 'INVALID_TRANSLATION B', 'INVALID_TRANSLATION C'],
    ],
    ['an array', '{"A": ["x"]}', [['A', null]], ['INVALID_TRANSLATION A']],
    [
      'nested objects',
      '{"a": {"b": "x", "c": {"d": 1}}}',
      [
        ['a.b', 'x'],
        ['a.c.d', '1'],
      ],
      ['NESTED_TRANSLATION a', 'INVALID_TRANSLATION a.c.d'],
    ],
    [
      'a flat key beside its nested twin',
      '{"a": {"b": "nested"}, "a.b": "flat"}',
      [['a.b', 'flat']],
      ['NESTED_TRANSLATION a', 'NESTED_TRANSLATION a.b'],
    ],
    [
      'an empty object',
      '{"a": {}, "b": {"c": {}}}',
      [
        ['a', null],
        ['b.c', null],
      ],
      [
        'NESTED_TRANSLATION a',
        'INVALID_TRANSLATION a',
        'NESTED_TRANSLATION b',
        'INVALID_TRANSLATION b.c',
      ],
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
      '__proto__ with nested keys',
      '{"__proto__": {"a": "x"}}',
      [['__proto__.a', 'x']],
      ['NESTED_TRANSLATION __proto__'],
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
  ])('reads %s', (_, json, translations, problems) => {
    expect(read(json)).toEqual({ translations, problems })
  })

  it('accepts nesting in the file of the language `key`', () => {
    expect(read('{"a": {"b": "a.b"}, "C": "C"}', 'key')).toEqual({
      translations: [
        ['C', 'C'],
        ['a.b', 'a.b'],
      ],
      problems: [],
    })
  })

  it('limits the depth of nesting', () => {
    const deep = `${'{"a":'.repeat(5000)}"x"${'}'.repeat(5000)}`
    const { translations, problems } = read(deep)
    expect(translations).toHaveLength(1)
    expect(problems).toContainEqual(expect.stringMatching(/^INVALID_TRANSLATION a\.a/))
  })

  it('reports language, module and key of a problem', () => {
    const { problems } = normaliseFile({ A: 7 }, place)
    expect(problems).toEqual([
      {
        severity: 'warning',
        code: 'INVALID_TRANSLATION',
        ...place,
        key: 'A',
        message: 'is the number 7; it is converted to a string',
      },
    ])
  })

  it('keeps every key and every translation', () => {
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
        const { translations, problems } = normaliseFile(raw, place)
        const keys = [...translations.keys()]
        expect(keys).toEqual(keys.toSorted(byCodePoint))
        expect(new Set([...keys, ''])).toEqual(new Set([...unique.map(([key]) => key), '']))
        const written = unique.filter(([key, text]) => typeof text === 'string' && key !== '')
        expect(written.map(([key]) => translations.get(key))).toEqual(
          written.map(([, text]) => (isMissingMarker(text as string) ? null : text)),
        )
        const odd = unique.filter(([, text]) => typeof text !== 'string' && text !== null)
        const told = new Set(problems.map(({ key }) => key))
        expect(odd.filter(([key]) => !told.has(key))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('accepts any JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, fc.jsonValue({ maxDepth: 5 })), (raw) => {
        for (const text of normaliseFile(raw, place).translations.values()) {
          expect(text === null || typeof text === 'string').toBe(true)
        }
      }),
    )
  })
})

it('reports the severity of each problem and how it is handled', () => {
  const json = `{
    "": "x", "A": 7, "B": ["x"], "C": {}, "D.E": "flat", "D": { "E": "nested" }, "F": { "G": "x" }
  }`
  const { problems } = normaliseFile(JSON.parse(json) as Record<string, unknown>, place)
  expect(problems.map(({ severity, key, message }) => `${severity}: ${key} ${message}`))
    .toMatchInlineSnapshot(`
      [
        "warning:  is empty and is ignored",
        "warning: A is the number 7; it is converted to a string",
        "warning: B is an array; it counts as missing",
        "warning: C is nested; its keys are joined with dots",
        "warning: C is an object without translations; it counts as missing",
        "warning: D is nested; its keys are joined with dots",
        "warning: D.E exists both flat and nested; the flat one is used",
        "warning: F is nested; its keys are joined with dots",
      ]
    `)
  expect(problems.every((one) => one.language === 'de-DE' && one.module === 'auth')).toBe(true)
})

it('keeps a flat translation beside an empty object, and has no translation of an empty key', () => {
  expect(read('{"A.B": "flat", "A": {"B": {}}}').translations).toEqual([['A.B', 'flat']])
  expect(read('{"": {}, "A": {}}').translations).toEqual([['A', null]])
})

it('reads objects as deep as the limit, and no deeper', () => {
  const nestedTo = (depth: number): string => '{"a":'.repeat(depth) + '"x"' + '}'.repeat(depth)
  const found = [...Array(120).keys()].filter(
    (depth) => depth > 0 && read(nestedTo(depth)).translations[0]?.[1] === 'x',
  )
  expect(found).toEqual(Array.from({ length: found.length }, (_, index) => index + 1))
  expect(found).toHaveLength(50)
})
