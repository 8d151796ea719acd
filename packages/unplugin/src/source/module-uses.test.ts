import { describe, expect, it } from 'vitest'
import { findModuleUses } from './module-uses.ts'
import { parseSource } from './parse-source.ts'

const usesIn = (source: string, file = 'file.ts') => findModuleUses(parseSource(source, file)!)
const usesOf = (source: string, file?: string) =>
  usesIn(source, file).names.filter(({ specifier }) => specifier === '~uilm/cart')
const names = (source: string, file?: string): readonly string[] =>
  usesOf(source, file).map(({ name }) => name)

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
    [`const cart = await import('~uilm/cart').catch(() => undefined)\ncart?.A()`, ['A']],
    [`import('~uilm/cart').finally(() => done()).then((cart) => cart.A())`, ['A']],
    [`import('~uilm/cart').then((cart) => cart).then(({ A }) => A())`, ['A']],
    [
      `import * as cart from '~uilm/cart'\nconst { A } = cart ?? {}\nconst b = (isOpen && cart).B`,
      ['A', 'B'],
    ],
    [`import * as cart from '~uilm/cart'\nconst basket = isOpen ? cart : cart\nbasket.A()`, ['A']],
    [`import * as cart from '~uilm/cart'\nconst basket = isOpen ? cart : other\nbasket.A()`, []],
    [`import * as cart from '~uilm/cart'\n;(0, cart).A()`, ['A']],
    [`import * as cart from '~uilm/cart'\nconst [, { A }] = [other, cart]`, ['A']],
    [`import * as cart from '~uilm/cart'\nconst [, { A }] = [...others, cart]`, []],
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
    for (const cart of [`import * as cart from`, `const cart = require`]) {
      const load = cart.startsWith('import') ? `${cart} '~uilm/cart'` : `${cart}('~uilm/cart')`
      expect(names(`${load}\n${code}`)).toEqual([])
      expect(names(`${load}\n${code}\ncart.B()`)).toEqual(['B'])
    }
  })

  it.each([
    `// cart.GONE()`,
    `/* cart.GONE() */`,
    `const text = 'cart.GONE()'`,
    'const text = `cart.GONE()`',
    `const pattern = /cart.GONE()/`,
    `const f = <p>See cart.GONE for help</p>`,
    `const f = <p title="cart.GONE">{/* cart.GONE() */}</p>`,
    `class cartoon { cart = 1; f() { return this.cart.GONE } }`,
    `type Gone = typeof cart.GONE`,
    `function f({ cart }) { return cart.GONE() }`,
    `function f(a, [cart]) { return cart.GONE() }`,
    `try {} catch (cart) { cart.GONE() }`,
    `const f = function cart() { return cart.GONE }`,
    `const C = class cart { static f = cart.GONE }`,
    `enum E { cart } E.cart.GONE`,
    `switch (1) { case 1: class cart {} cart.GONE }`,
    `const all = { cart, ...others }; all.cart.GONE()`,
    `const all = { cart }; all.cart = shop; all.cart.GONE()`,
  ])('are not read from text, types and other variables: %s', (code) => {
    expect(names(`import * as cart from '~uilm/cart'\n${code}`, 'file.tsx')).toEqual([])
  })

  it.each([
    `// import { GONE } from '~uilm/cart'`,
    `/*\nimport { GONE } from '~uilm/cart'\n*/`,
    "const code = `\nimport { GONE } from '~uilm/cart'\n`",
    `import { type GONE } from '~uilm/cart'`,
    `export type { GONE } from '~uilm/cart'`,
  ])('are not read from an import that is text or a type: %s', (code) => {
    expect(names(code)).toEqual([])
  })

  it.each([
    [`const a = 1; import { A } from '~uilm/cart'`, ['A']],
    [`import cart, { A } from '~uilm/cart'`, ['A']],
    [`import { A\n/* } */ , B } from /* a */ '~uilm/cart'`, ['A', 'B']],
    [`import { '\\u0041' as a } from '~uilm/cart'`, ['A']],
    [`import * as cart from '~uilm/cart'\nconst { A = () => '', ...rest } = cart`, ['A']],
    [`import * as cart from '~uilm/cart'\nconst { ['A']: a, [key]: b } = cart`, ['A']],
    [`import * as cart from '~uilm/cart'\nlet A\n;({ A } = cart)`, ['A']],
    [
      `import * as cart from '~uilm/cart'\nconst all = { shop: { cart } }\nall.shop.cart.A()`,
      ['A'],
    ],
    [`import * as cart from '~uilm/cart'\nconst { c: { A } } = { c: cart }`, ['A']],
    [`import * as cart from '~uilm/cart'\nconst text = \`\${cart.A()}\``, ['A']],
    [`import * as cart from '~uilm/cart'\nenum Names { a = cart.A() }`, ['A']],
    [`function load() { return import('~uilm/cart') }\nconst { A } = await load()`, ['A']],
    [`const cart = await import(\`~uilm/cart\`)\ncart.A()`, ['A']],
    [
      `let cart\nif (a) cart = await import('~uilm/cart')\nelse cart = await import('~uilm/cart')\ncart.A()`,
      ['A'],
    ],
    [`var cart = cart || 1, loop = loop\nimport { A } from '~uilm/cart'\nloop.B`, ['A']],
  ])('are read as JavaScript means them: %s', (source, expected) => {
    expect(names(source)).toEqual(expected)
  })

  it('are found in JSX', () => {
    const source = `import * as cart from '~uilm/cart'\nconst f = <b title={cart.A()}>{cart.B()} <cart.C /></b>`
    expect(names(source, 'file.jsx')).toEqual(['A', 'B', 'C'])
  })

  it('are found in the scripts of a component, at their position', () => {
    const component = `<!-- <script>import { X } from '~uilm/cart'</script> -->
<script lang="ts" generics="A extends '>'">
import { A } from '~uilm/cart'
</script>
<template>import { Y } from '~uilm/cart'</template>
<script setup>const { B } = await import('~uilm/cart')</script>`
    expect(usesOf(component, 'App.vue')).toEqual(
      ['A', 'B'].map((name) => ({
        specifier: '~uilm/cart',
        name,
        start: component.indexOf(`{ ${name} }`) + 2,
      })),
    )
    const astro = `---\nimport { A } from '~uilm/cart'\n---\n<p>{A()}</p>\n<script>import { B } from '~uilm/cart'</script>`
    expect(names(astro, 'page.astro')).toEqual(['A', 'B'])
  })

  it('are found in templates that Vue compiled for development', () => {
    const compiled = `import * as cart from '~uilm/cart'
const component = { setup() { return { get cart() { return cart } } } }
function render(_ctx, _cache, $props, $setup) { return $setup.cart.A($setup.other.B) }`
    expect(names(compiled)).toEqual(['A'])
  })

  it('have their position in a list of dynamic imports', () => {
    const source = `const [a, { B }] = await Promise.all([a(), import('~uilm/cart')])`
    const [use] = usesOf(source)
    expect(use).toEqual({ specifier: '~uilm/cart', name: 'B', start: source.indexOf('B') })
  })

  it('have the position of their first character', () => {
    const source = `import * as cart from '~uilm/cart'\ncart.A()\nconst { B, C } = cart`
    expect(usesOf(source)).toEqual(
      ['A', 'B', 'C'].map((name) => ({
        specifier: '~uilm/cart',
        name,
        start: source.indexOf(name),
      })),
    )
  })
})

describe('a module that a file uses as a whole', () => {
  it.each([
    `import * as cart from '~uilm/cart'`,
    `export * from '~uilm/cart'`,
    `export * as cart from '~uilm/cart'`,
    `const cart = await import('~uilm/cart')`,
    `const cart = require('~uilm/cart')`,
    `import cart = require('~uilm/cart')`,
    `define(['~uilm/cart'], (cart) => cart.A())`,
  ])('is known in %s', (source) => {
    expect([...usesIn(source).whole]).toEqual(['~uilm/cart'])
  })

  it.each([
    `import { A } from '~uilm/cart'`,
    `export { A } from '~uilm/cart'`,
    `import type * as cart from '~uilm/cart'`,
    `// import * as cart from '~uilm/cart'`,
  ])('is not in %s', (source) => {
    expect([...usesIn(source).whole]).toEqual([])
  })
})

it('reads no file that its parser does not know', () => {
  expect(parseSource(`{#if a}`, 'file.other')).toBeUndefined()
  expect(parseSource(`import { A from '~uilm/cart'`, 'file.js')).toBeUndefined()
})

it.each([
  'const f = () => f()\nf().x',
  'const f = () => g()\nconst g = () => f()\nf().x',
  'const poll = async () => poll()\n;(await poll()).x',
  'function next() { return next().value }\nnext().x',
  'const tree = { root: () => tree.root() }\ntree.root().x',
  'var all = { cart: all.cart }\nall.cart.x',
  'const walk = (node) => (node.up ? walk(node.up) : node)\nwalk(leaf).x',
  'const poll = () => wait().then(() => poll())\npoll().x',
])('reads a value that leads to itself: %s', (code) => {
  expect(names(`import * as cart from '~uilm/cart'\ncart.A()\n${code}`)).toEqual(['A'])
})

it('reads a long chain of calls and of variables', () => {
  const chain = `x${'.a()'.repeat(500)}`
  const variables = Array.from(
    { length: 60 },
    (_, index) => `let v${index}; v${index} = v${index + 1}.a; v${index} = v${index + 1}.b`,
  )
  const source = `import * as cart from '~uilm/cart'\n${chain}\n${variables.join('\n')}\nv0.c; cart.A()`
  expect(names(source)).toEqual(['A'])
})
