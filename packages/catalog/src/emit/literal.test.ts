import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, hostile } from '../../test/arbitrary.ts'
import { jsonLiteral, propertyAccess, stringLiteral } from './literal.ts'

const evaluate = (expression: string): unknown =>
  (new Function(`'use strict'; return ${expression}`) as () => unknown)()

describe('stringLiteral', () => {
  it.each(hostile.map((text) => [text]))('evaluates to %j', (text) => {
    expect(evaluate(stringLiteral(text))).toBe(text)
  })

  it('evaluates to the exact string in any context', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const literal = stringLiteral(text)
        expect(evaluate(literal)).toBe(text)
        // Well-formed, so that a UTF-8 file preserves it.
        expect(literal).not.toMatch(/\p{Surrogate}/u)
        expect(literal).not.toMatch(/[\n\r\u2028\u2029]/)
        // Cannot end an inline script or start a comment in it.
        expect(literal).not.toMatch(/<\/|<!/)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('jsonLiteral', () => {
  it('evaluates to the same data, and cannot end an inline script', () => {
    const data = { a: ['</script>\u2028', 1, null], b: { c: '<!--' } }
    for (const indent of [undefined, 2]) {
      const literal = jsonLiteral(data, indent)
      expect(evaluate(`(${literal})`)).toEqual(data)
      expect(literal).not.toMatch(/<[/!]|\u2028/)
      expect(literal.includes('\n')).toBe(indent !== undefined)
    }
  })
})

describe('propertyAccess', () => {
  it('accesses a property with any name', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const read = new Function('a', `return a${propertyAccess(name)}`) as (a: object) => unknown
        const object = Object.defineProperty({}, name, { value: 'found' })
        expect(read(object)).toBe('found')
      }),
    )
    expect(propertyAccess('name')).toBe('.name')
    expect(propertyAccess('first name')).toBe('["first name"]')
  })
})
