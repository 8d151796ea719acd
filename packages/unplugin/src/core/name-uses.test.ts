import { describe, expect, it } from 'vitest'
import { nameUses } from './name-uses.ts'

const names = (source: string): readonly string[] =>
  nameUses(source, ['~uilm/cart']).map(({ name }) => name)

describe('names that a file uses of a key module', () => {
  it.each([
    [`import { A, B as b } from '~uilm/cart'`, ['A', 'B']],
    [`export { 'sort-by' as sort } from "~uilm/cart"`, ['sort-by']],
    [`import { type A, B } from '~uilm/cart'`, ['B']],
    [
      `import * as cart from '~uilm/cart'\ncart.A(); cart?.B(); cart['sort-by']()`,
      ['A', 'B', 'sort-by'],
    ],
    [`import * as cart from '~uilm/cart'\nconst { A, B: b } = cart`, ['A', 'B']],
    [`const cart = await import('~uilm/cart')\ncart.A()`, ['A']],
    [`let cart\nconst f = async () => { cart ??= await import('~uilm/cart'); cart.A() }`, ['A']],
    [`const { A, B: b = c } = await import('~uilm/cart')`, ['A', 'B']],
    [`(await import('~uilm/cart')).A()`, ['A']],
    [`import('~uilm/cart').then((cart) => cart.A())`, ['A']],
    [`import('~uilm/cart').then(({ A }) => A())`, ['A']],
    [`import * as $c from '~uilm/cart'\nif ($c) $c.A()`, ['A']],
    [`import * as cart from '~uilm/cart'\ncart[\`A\`]()`, ['A']],
    [`const loaded = import('~uilm/cart')\nconst { A } = await loaded`, ['A']],
    [`const loaded = import('~uilm/cart')\nloaded.then((cart) => cart.A())`, ['A']],
    [`const load = async () => import('~uilm/cart')\nconst { A } = await load()`, ['A']],
    [`const [cart] = await Promise.all([import('~uilm/cart')])\ncart.A()`, ['A']],
    [
      `const [, { A, B: b }] = await Promise.all([load({ a, b }), import('~uilm/cart')])`,
      ['A', 'B'],
    ],
    [`const [{ C }, cart] = await Promise.all([load(), import('~uilm/cart')])\ncart.A()`, ['A']],
    [`import * as cart from '~uilm/cart'\nlet basket\nbasket = cart\nbasket.A()`, ['A']],
    [`const { A } = await import(/* webpackChunkName: "cart" */ '~uilm/cart')`, ['A']],
    [`const cart = await import(// eager\n'~uilm/cart')\ncart.A()`, ['A']],
    [`const { A } = await import('~uilm/cart', { with: { a: 'b' } })`, ['A']],
    [`const cart = (await import('~uilm/cart')) as Cart\ncart.A()`, ['A']],
    [`const { A } = (await import('~uilm/cart')) as Cart`, ['A']],
    [`import('~uilm/cart').then(function (cart) { return cart.A() })`, ['A']],
    [`import('~uilm/cart').then(async function load({ A }) {})`, ['A']],
    [`import('~uilm/cart').then((cart: Cart) => cart.A())`, ['A']],
    [`import * as cart from '~uilm/cart'\ncart!.A()`, ['A']],
    [`const cart = require('~uilm/cart')\ncart.A()`, ['A']],
    [`const { A } = require('~uilm/cart'), b = require('~uilm/cart').B`, ['A', 'B']],
    [`import cart = require('~uilm/cart')\ncart.A()`, ['A']],
    [`import * as cart from '~uilm/cart'\nconst all = { a: 1, cart }\nall.cart.A()`, ['A']],
    [`import * as c from '~uilm/cart'\nconst all = { cart: c } as const\nall.cart.A()`, ['A']],
  ])('are found in %s', (source, expected) => {
    expect(names(source)).toEqual(expected)
  })

  it.each([
    `import type * as cart from '~uilm/cart'\ncart.A`,
    `import * as cart from '~uilm/shop'\ncart.A()`,
    `import * as cart from '~uilm/cart'\ncart[key](); my.cart.A(); $cart.B()`,
    `const cart = await import('~uilm/cart')\nx.cart.A()`,
    `import * as cart from '~uilm/cart'\ncart[\`A${'${b}'}\`]()`,
    `const load = () => import('~uilm/cart')\nconst { A } = await my.load()`,
    `const list = await import('~uilm/cart').then((cart) => cart[key])\nlist.A()`,
    `const text = (await import('~uilm/cart'))[key]\ntext.A()`,
    `const { A } = ((await import('~uilm/cart')) as Cart)[key]`,
    `const text = require('~uilm/cart')[key]\ntext.A()`,
    `import * as cart from '~uilm/cart'\nconst all = { cart }\nmy.all.cart.A(); all.carts.A()`,
    `import * as cart from '~uilm/cart'\nconst all = { cart: cart() }\nall.cart.A()`,
    `import * as cart from '~uilm/cart'\nconst all = { cart }\n{ const all = b; all.cart.A() }`,
    `const [{ A }, cart] = await Promise.all([load(), import('~uilm/cart')])`,
    `const [cart] = await Promise.all([load(), import('~uilm/cart')])\ncart.A()`,
    `const [a, b, c] = await Promise.all([f(1, g(2)), import('~uilm/cart'), h()])\nc.A()`,
    `const [cart] = await Promise.all([import('~uilm/cart')])\n{ const cart = shop; cart.A() }`,
    `import * as cart from '~uilm/cart'\nlet basket\nbasket = cart\nbasket = shop\nbasket.A()`,
    `import * as cart from '~uilm/cart'\nmy.basket = cart\nbasket.A()`,
    `import * as cart from '~uilm/cart'\nlet basket\nbasket = cart\nconst f = (basket) => basket.A()`,
    `const load = () => import('~uilm/cart')\nconst f = async (load) => { const { A } = await load() }`,
    `{ const load = () => import('~uilm/cart') }\n{ const load = () => import('./a'); const { A } = await load() }`,
  ])('are not found in %s', (source) => {
    expect(names(source)).toEqual([])
  })

  it.each([
    `const f = (cart: Cart) => cart.A()`,
    `function f(shop, cart) { return cart.A() }`,
    `carts.map((cart) => cart.A())`,
    `carts.map(cart => cart.A())`,
    `for (const cart of carts) cart.A()`,
    `{ const cart = await load(); cart.A() }`,
  ])('are not searched where another variable has the name of the namespace: %s', (code) => {
    expect(names(`import * as cart from '~uilm/cart'\n${code}`)).toEqual([])
    expect(names(`const cart = await import('~uilm/cart')\n${code}`)).toEqual([])
  })

  it.each(['~uilm/en-US/shop', '~uilm/a.b+(c)', '~uilm/$x[1]^{2}|?*'])(
    'are found for the specifier %s',
    (specifier) => {
      const source = `import * as shop from '${specifier}'\nshop.A()`
      expect(nameUses(source, [specifier]).map(({ name }) => name)).toEqual(['A'])
    },
  )

  it('have their position in a list of dynamic imports', () => {
    const source = `const [a, { B }] = await Promise.all([a(), import('~uilm/cart')])`
    const [use] = nameUses(source, ['~uilm/cart'])
    expect(use).toEqual({ name: 'B', start: source.indexOf('B') })
  })

  it('have the position of their first character', () => {
    const source = `import * as cart from '~uilm/cart'\ncart.A()\nconst { B, C } = cart`
    expect(nameUses(source, ['~uilm/cart'])).toEqual(
      ['A', 'B', 'C'].map((name) => ({ name, start: source.indexOf(name) })),
    )
  })
})
