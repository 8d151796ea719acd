import { MagicString } from 'magic-string'
import { describe, expect, it } from 'vitest'
import { rewriteForBrowser } from '../src/next/browser-imports.ts'
import { checkKeys } from '../src/next/check-keys.ts'
import { fileImports } from '../src/next/file-imports.ts'
import { keysCode } from '../src/next/keys.ts'
import type { MessageIndex } from '../src/next/message-index.ts'
import { parseSource } from '../src/source/parse-source.ts'

const index: MessageIndex = {
  entries: ['~uilm/react'],
  modules: [
    {
      name: 'cart',
      specifiers: ['~uilm/cart'],
      messages: ['ITEMS', 'CLEAR', 'sort-by'].map((key) => ({
        name: key.replace('-', '$2d_'),
        key,
        id: `cart.${key}`,
      })),
    },
  ],
}
const parse = (source: string) => parseSource(source, 'file.tsx')!

const browser = (source: string): string => {
  const edited = new MagicString(source)
  rewriteForBrowser(edited, parse(source), index)
  return edited.toString()
}
const keys = (source: string, isClient = true): string =>
  keysCode({
    file: fileImports(parse(source)),
    name: 'file.tsx',
    isClient,
    index,
    follow: (specifier) => (specifier.startsWith('./') ? specifier : undefined),
  })

describe('imports in code for browsers', () => {
  it.each([
    [
      `import { ITEMS, CLEAR as clear, type Key } from '~uilm/cart'; ITEMS(clear())`,
      `import { message as $uilm } from '~uilm-next/client'; var ITEMS = /*#__PURE__*/ $uilm("cart.ITEMS"), clear = /*#__PURE__*/ $uilm("cart.CLEAR"); ITEMS(clear())`,
    ],
    [
      `import { 'sort-by' as sort } from '~uilm/cart'`,
      `import { message as $uilm } from '~uilm-next/client'; var sort = /*#__PURE__*/ $uilm("cart.sort-by");`,
    ],
    [
      `import * as cart from '~uilm/cart'; cart.ITEMS(cart['sort-by']())`,
      `import { message as $uilm } from '~uilm-next/client'; var cart = { "ITEMS": /*#__PURE__*/ $uilm("cart.ITEMS"), "sort-by": /*#__PURE__*/ $uilm("cart.sort-by") }; cart.ITEMS(cart['sort-by']())`,
    ],
  ])('become lookups: %s', (source, expected) => {
    expect(browser(source)).toBe(expected)
  })

  it.each([
    `import * as cart from '~uilm/cart'; cart[name]()`,
    `import * as cart from '~uilm/cart'; show(cart)`,
    `import type { ITEMS } from '~uilm/cart'`,
    `import { useLanguage } from '~uilm/react'`,
    `const cart = await import('~uilm/cart')`,
  ])('stay: %s', (source) => {
    expect(browser(source)).toBe(source)
  })

  it('keep the number of lines', () => {
    const source = `import {\n  ITEMS,\n  CLEAR,\n} from '~uilm/cart'\nITEMS()`
    expect(browser(source).split('\n')).toHaveLength(5)
  })
})

describe('the list of messages that a file leads to', () => {
  it.each([
    [`import { ITEMS } from '~uilm/cart'; ITEMS()`, `import { ITEMS as m0_0 } from "~uilm/cart"`],
    [`import * as c from '~uilm/cart'; c.ITEMS()`, `import { ITEMS as m0_0 } from "~uilm/cart"`],
    [`import * as c from '~uilm/cart'; c[key]()`, `import * as m0 from "~uilm/cart"`],
    [`const c = import('~uilm/cart')`, `import * as m0 from "~uilm/cart"`],
    [`import { Total } from './total'; <Total />`, `pick(i0, "Total")`],
    [`import * as form from './form'; <form.Field />`, `pick(i0, "Field")`],
    [`import './effects'`, `i0.$all`],
    [`const Chart = dynamic(() => import('./chart'))`, `i0.$all`],
    [
      `export { Total } from './total'`,
      `export { Total as Total } from "./total?uilm-keys=client"`,
    ],
    [`export * from './total'`, `export * from "./total?uilm-keys=client"`],
  ])('contains those of %s', (source, expected) => {
    expect(keys(source)).toContain(expected)
  })

  it.each([
    `import { ITEMS } from '~uilm/cart'`,
    `import type { ITEMS } from '~uilm/cart'; let x: typeof ITEMS`,
    `import { ITEMS } from '~uilm/cart'; let x: typeof ITEMS`,
    `import { Props } from './props'; function f(props: Props) {}`,
    `import { UNKNOWN } from '~uilm/cart'; UNKNOWN()`,
    `'use server'; import { ITEMS } from '~uilm/cart'; export const f = async () => ITEMS()`,
  ])('has none of %s', (source) => {
    expect(keys(source)).not.toMatch(/^import/m)
  })

  it('counts messages only below a client file', () => {
    const source = `import { ITEMS } from '~uilm/cart'; ITEMS()`
    expect(keys(source, false)).not.toContain('~uilm/cart')
    expect(keys(`'use client'; ${source}`, false)).toContain('"./file.tsx?uilm-keys=client"')
  })

  it('exports the names that the file exports', () => {
    const code = keys(
      `export default function Page() {}; export const { a, b: [c] } = x; export class D {}; export type E = 1; const f = 1; export { f as g }`,
    )
    expect([...code.matchAll(/export \{ \$own as (\w+) \}/g)].map(([, name]) => name)).toEqual([
      'default',
      'a',
      'c',
      'D',
      'g',
    ])
  })
})

describe('unknown messages', () => {
  it.each([
    [`import { ITEM } from '~uilm/cart'`, '~uilm/cart has no key ITEM. Did you mean ITEMS?'],
    [`import * as c from '~uilm/cart'\nc.ITEM()`, 'file.tsx:2:3: ~uilm/cart has no key ITEM.'],
    [`import { ITEMS } from '~uilm/card'`, '~uilm/card is not in the translations.'],
  ])('are errors: %s', async (source, message) => {
    await expect(checkKeys(parse(source), { file: 'file.tsx', source }, index)).rejects.toThrow(
      message,
    )
  })

  it.each([
    `import { ITEMS, 'sort-by' as sort } from '~uilm/cart'`,
    `import { messages } from '~uilm/cart/messages'`,
    `import { useLanguage } from '~uilm/react'`,
  ])('are not found in %s', async (source) => {
    await expect(
      checkKeys(parse(source), { file: 'file.tsx', source }, index),
    ).resolves.toBeUndefined()
  })
})
