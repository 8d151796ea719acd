import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGraphqlName } from '@servicekit/core'
import { claim, fileNamesOf, hashOf, identifiersOf, typeNameOf } from './names.ts'

describe('typeNameOf', () => {
  test.each([
    ['Product', 'Product'],
    ['product', 'Product'],
    ['order_line', 'Order_line'],
    ['order line', 'OrderLine'],
    ['3D', '_3D'],
    ['Größe', 'Größe'],
    ['class', 'Class'],
    ['a-b', 'AB'],
  ])('%s becomes %s', (name, type) => {
    expect(typeNameOf(name)).toBe(type)
  })

  test('names without a letter become identifiers', () => {
    expect(typeNameOf('!!')).toBe(`Schema${hashOf('!!')}`)
  })

  test('any name becomes an identifier', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        expect(typeNameOf(name)).toMatch(/^[\p{ID_Start}_][\p{ID_Continue}]*$/u)
      }),
    )
  })
})

describe('fileNamesOf', () => {
  const first = (name: string): string => fileNamesOf(name).next().value

  test.each([
    ['Product', 'product'],
    ['OrderLine', 'order-line'],
    ['HTTPServer', 'http-server'],
    ['order_line', 'order_line'],
    ['Gateway', 'gateway-schema'],
    ['Index', 'index-schema'],
    ['CON', 'con-schema'],
  ])('%s becomes %s', (name, file) => {
    expect(first(name)).toBe(file)
  })

  test('names that lose characters get a hash', () => {
    expect(first('Größe')).toBe(`gr-e-${hashOf('Größe')}`)
    expect(first('a b')).toBe(`a-b-${hashOf('a b')}`)
    expect(first('注文')).toBe(hashOf('注文'))
    expect(first('x'.repeat(100)).length).toBeLessThan(80)
  })

  test('candidates are lowercase ASCII and endless', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        const names = fileNamesOf(name)
        for (let count = 0; count < 4; count++) {
          expect(names.next().value).toMatch(/^[a-z0-9_][a-z0-9_-]*$/)
        }
      }),
    )
  })
})

test('isGraphqlName accepts ASCII names without two leading underscores', () => {
  expect(['Product', '_x', 'A1'].every((name) => isGraphqlName(name))).toBe(true)
  expect(['', '1A', 'Größe', '__proto__', 'a b', 'a-b'].some((name) => isGraphqlName(name))).toBe(
    false,
  )
})

test('claim takes the first candidate whose derived names are free', () => {
  const taken = new Set(['ProductField'])
  const derive = (name: string): readonly string[] => [name, `${name}Field`]
  expect(claim(identifiersOf('Product', 'Product'), taken, derive)).toBe('Product_')
  expect(claim(identifiersOf('Product', 'product'), taken, derive)).toBe(
    `Product_${hashOf('product')}`,
  )
  expect(taken.has('Product_Field')).toBe(true)
})
