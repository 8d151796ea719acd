import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactJson, printExactJson } from './exact-json.ts'

const long = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 2n ** 53n - 9n, max: 2n ** 53n + 9n }),
  fc.bigInt({ min: -(2n ** 53n) - 9n, max: -(2n ** 53n) + 9n }),
)
/** Texts that a scanner may mistake for numbers, or for the end of a text. */
const hostile = fc
  .array(
    fc.constantFrom(
      '123456789012345678901',
      '"',
      '\\',
      '\\"',
      ':',
      '\u0001',
      '0:1',
      '\\u0001',
      'e',
      '-',
    ),
  )
  .map((parts) => parts.join(''))
const float = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((one) => !Object.is(one, -0))
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    long,
    hostile,
    float,
    fc.constantFrom(null, true, 1e21, 5e-324),
    fc.array(tie('value')),
    fc.dictionary(hostile, tie('value')),
  ),
})).value

/** A number that is an integer beyond 2^53 - 1 is printed in digits, which are read as a bigint. */
const expected = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'number' && /^-?\d+$/.test(String(value)))
    return Number.isSafeInteger(value) ? value : BigInt(String(value))
  if (Array.isArray(value)) return value.map(expected)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, expected(one)]))
}

describe('parseExactJson', () => {
  it('reads every integer as it is, beside any string', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parseExactJson(printExactJson(value))).toEqual(expected(value))
      }),
      { numRuns: 1000 },
    )
  })

  it('reads the limits', () => {
    expect(
      parseExactJson(
        '[9007199254740991, 9007199254740992, 9007199254740993, -9223372036854775808]',
      ),
    ).toEqual([9007199254740991, 9007199254740992n, 9007199254740993n, -9223372036854775808n])
  })

  it.each([
    '12345678901234567.5',
    '1.2345678901234567e+30',
    '-0.12345678901234567',
    '12345678901234567E2',
    '12345678901234567e-2',
    '"\\u0001\\u000112345678901234567"',
    '{"\\u0001": "12345678901234567"}',
    '["\\u00010:12345678901234567", "\\u00011:12345678901234567"]',
  ])('reads %s as JSON.parse does', (text) => {
    expect(parseExactJson(text)).toEqual(JSON.parse(text))
  })

  it.each([
    '{12345678901234567: 1}',
    '012345678901234567',
    '12345678901234567 12345678901234567',
    '-',
    '"12345678901234567',
  ])('refuses %s, which is not JSON', (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
    expect(() => parseExactJson(text)).toThrow(SyntaxError)
  })

  it('reads a text that contains many marks, in time', () => {
    const used = Array.from({ length: 50_000 }, (_, index) => `\u0001${index}:1`)
    const longs = Array.from({ length: 50_000 }, () => 12345678901234567n)
    expect(parseExactJson(printExactJson([used, longs]))).toEqual([used, longs])
  })

  it.each(['x', '\\"', '\\u0001'])('reads twenty million characters %s', (part) => {
    const text = `["${part.repeat(20_000_000 / part.length)}",12345678901234567]`
    const [read, value] = parseExactJson(text) as [string, bigint]
    expect(read === (JSON.parse(text) as [string])[0]).toBe(true)
    expect(value).toBe(12345678901234567n)
  })
})
