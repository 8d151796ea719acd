import { describe, expect, it, vi } from 'vitest'
import * as moduleUses from './module-uses.ts'
import { parseSource } from './parse-source.ts'
import { findSourceUses } from './source-uses.ts'

const cart = "'~uilm/cart'"

describe('the uses of key modules in a source file', () => {
  it.each([
    `import { A, B as b } from ${cart}`,
    `import { A, type B } from ${cart}; import type { C } from ${cart}; import type D from ${cart}`,
    `import { 'sort-by' as sort, "é" as e } from ${cart}`,
    `const emoji = '😀'; import { A } from ${cart}`,
    `import {} from ${cart}; import ${cart}; import cart, { default as B } from ${cart}`,
    `export { A, B as C } from ${cart}; export type { D } from ${cart}; export { type E } from ${cart}`,
    `import { A } from ${cart}; export { A }; export * from './other.js'`,
    `import { A } from "~uilm/cart" with { type: 'json' }`,
  ])('are read from the lists of imports alone: %s', (source) => {
    const readTree = vi.spyOn(moduleUses, 'findModuleUses')
    const uses = findSourceUses(source, 'file.ts')
    expect(readTree).not.toHaveBeenCalled()
    expect(uses).toEqual(moduleUses.findModuleUses(parseSource(source, 'file.ts')!))
    readTree.mockRestore()
  })

  it.each([
    `import * as cart from ${cart}\ncart.A()`,
    `import { A } from ${cart}\nconst { B } = await import(${cart})`,
    `export * from ${cart}`,
    `export * as cart from ${cart}`,
    `import { A } from ${cart}\nvi.mock(${cart})`,
    `import { A } from ${cart} // not '~uilm/shop'`,
    `const { A } = require(${cart})`,
    `import { A } from ${cart}\nimport('\\x7euilm/cart').then((cart) => cart.B())`,
  ])('are read from the tree otherwise: %s', (source) => {
    const expected = moduleUses.findModuleUses(parseSource(source, 'file.ts')!)
    expect(findSourceUses(source, 'file.ts')).toEqual(expected)
    expect(expected.names.length + expected.whole.size).toBeGreaterThan(0)
  })

  it('are read from the scripts of components, at their positions', () => {
    const source = `<template>{{ A }}</template>\n<script setup>\nimport { A } from ${cart}\n</script>`
    expect(findSourceUses(source, 'cart.vue')).toMatchObject({
      names: [{ specifier: '~uilm/cart', name: 'A', start: source.lastIndexOf('A') }],
    })
  })

  it('are unknown in a file with syntax errors', () => {
    expect(findSourceUses(`import { A } from ${cart}\nconst = 1`, 'file.ts')).toBeUndefined()
  })
})
