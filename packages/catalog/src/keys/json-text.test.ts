import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editJson } from './json-text.ts'

/** Returns a file after adding a key. */
const added = (text: string, key: string, value = 'x'): string => {
  const file = editJson(text)
  file.at([]).set(key, value)
  return file.print()
}

describe('editJson', () => {
  it.each([
    [
      'two spaces',
      '{\n  "a": "1",\n  "c": "3"\n}\n',
      '{\n  "a": "1",\n  "b": "x",\n  "c": "3"\n}\n',
    ],
    ['tabs', '{\n\t"a": "1"\n}', '{\n\t"a": "1",\n\t"b": "x"\n}'],
    ['carriage returns', '{\r\n  "a": "1"\r\n}\r\n', '{\r\n  "a": "1",\r\n  "b": "x"\r\n}\r\n'],
    ['a byte order mark', '\ufeff{\n "a": "1"\n}\n', '\ufeff{\n "a": "1",\n "b": "x"\n}\n'],
    ['one line', '{"a":"1"}', '{"a":"1","b":"x"}'],
    [
      'another order',
      '{\n  "z": "1",\n  "a": "2"\n}\n',
      '{\n  "z": "1",\n  "a": "2",\n  "b": "x"\n}\n',
    ],
    ['no content', '', '{\n  "b": "x"\n}\n'],
    ['no keys', '{}\n', '{\n  "b": "x"\n}\n'],
  ])('keeps %s', (_, before, after) => {
    expect(added(before, 'b')).toBe(after)
  })

  it('adds a dotted key to the objects of a nested file, and flat to a flat file', () => {
    const nested = '{"cart":{"pay":"Pay"},"title":"T"}'
    expect(added(nested, 'cart.total')).toBe('{"cart":{"pay":"Pay","total":"x"},"title":"T"}')
    expect(added(nested, 'shop.open.now')).toBe(
      '{"cart":{"pay":"Pay"},"shop":{"open":{"now":"x"}},"title":"T"}',
    )
    expect(added('{"a":"1"}', 'b.c')).toBe('{"a":"1","b.c":"x"}')
  })

  it('adds a key flat if a text is in its way', () => {
    expect(added('{"cart":{"pay":"Pay"}}', 'cart.pay.now')).toBe(
      '{"cart":{"pay":"Pay"},"cart.pay.now":"x"}',
    )
    expect(added('{"cart":{"pay":{"now":"Pay"}}}', 'cart.pay')).toBe(
      '{"cart":{"pay":{"now":"Pay"}},"cart.pay":"x"}',
    )
  })

  it('removes a nested key with the objects that become empty', () => {
    const file = editJson('{"a":{"b":{"c":"1"}},"d":"2"}')
    expect(file.at([]).take('a.b.c')).toBe('1')
    expect(file.at([]).take('a.b.c')).toBeUndefined()
    expect(file.print()).toBe('{"d":"2"}')
  })

  it('finds every key that it added, and changes no other', () => {
    const key = fc.oneof(
      fc.stringMatching(/^[a-c]{1,2}(\.[a-c]{1,2}){0,2}$/),
      fc.string({ minLength: 1 }),
      fc.constantFrom('__proto__', 'constructor', 'toString', '404', '..', 'a..b'),
    )
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 12 }), fc.boolean(), (keys, isNested) => {
        let text = isNested ? '{"n":{"m":"1"}}' : ''
        for (const [index, one] of keys.entries()) text = added(text, one, String(index))
        const file = editJson(text)
        for (const [index, one] of keys.entries()) expect(file.at([]).take(one)).toBe(String(index))
        expect(file.at([]).take('n.m')).toBe(isNested ? '1' : undefined)
        expect(JSON.parse(file.print())).toEqual({})
      }),
    )
  })
})
