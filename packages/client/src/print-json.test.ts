import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printJson } from './print-json.ts'

describe('printJson', () => {
  it('prints what JSON.stringify prints', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(printJson(value)).toBe(JSON.stringify(value))
      }),
    )
    const values = { at: new Date(0), url: new URL('https://a.test'), a: undefined, b: [[{}], ''] }
    expect(printJson(values)).toBe(JSON.stringify(values))
    expect(printJson(undefined)).toBeUndefined()
  })

  it('prints a bigint exactly', () => {
    expect(printJson({ a: [9007199254740993n] })).toBe('{"a":[9007199254740993]}')
  })

  it.each([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [new Date('soon'), 'Invalid Date'],
    [() => 1, '() => 1'],
    [Symbol('a'), 'Symbol(a)'],
    [new Map([[1, 2]]), '[object Map]'],
    [Promise.resolve(1), '[object Promise]'],
    [{ toJSON: () => Number.NaN }, '[object Object]'],
  ])('refuses %s and names its path', (value, shown) => {
    expect(() => printJson({ a: [{ b: value }] })).toThrow(
      new TypeError(`a[0].b is ${shown}. Nothing was sent`),
    )
  })

  it('refuses undefined in a list, and where it may not be', () => {
    expect(() => printJson({ a: [undefined] })).toThrow('a[0] is undefined')
    expect(() => printJson({ a: { b: undefined } }, (path) => path !== 'a.b')).toThrow(
      'a.b is undefined',
    )
  })

  it('names the path of a value that contains itself', () => {
    const list: unknown[] = [1]
    list.push({ list })
    expect(() => printJson({ a: { list } })).toThrow(
      new TypeError('a.list[1].list is circular. Nothing was sent'),
    )
    const twice = { b: 1 }
    expect(printJson([twice, twice])).toBe('[{"b":1},{"b":1}]')
  })
})
