import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import { modelFrom } from '../../test/project.ts'
import { rewriteImports } from './rewrite-imports.ts'

const model = modelFrom({
  'en-US/auth': { SIGN_IN: 'Sign in', 'sort-by': 'Sort', ITEM_one: 'one', ITEM_other: 'many' },
})

const rewrite = (code: string): string | undefined =>
  rewriteImports({
    code,
    program: parseAst(code),
    findModule: (name) => model.modules.find((module) => module.name === name),
  })?.code

describe('imports of keys', () => {
  it.each([
    [
      `import { SIGN_IN } from '~uilm/auth'`,
      `import { message as SIGN_IN } from "~uilm-key/auth/SIGN_IN";`,
    ],
    [
      `import { SIGN_IN as a, ITEM } from '~uilm/auth'; a()`,
      `import { message as a } from "~uilm-key/auth/SIGN_IN"; import { message as ITEM } from "~uilm-key/auth/ITEM"; a()`,
    ],
    [
      `import { 'sort-by' as sort, sort$2d_by } from '~uilm/auth'`,
      `import { message as sort } from "~uilm-key/auth/sort-by"; import { message as sort$2d_by } from "~uilm-key/auth/sort-by";`,
    ],
    [
      `export { SIGN_IN, SIGN_IN as 'the-sign', SIGN_IN as default } from '~uilm/auth'`,
      `export { message as SIGN_IN } from "~uilm-key/auth/SIGN_IN"; export { message as "the-sign" } from "~uilm-key/auth/SIGN_IN"; export { message as default } from "~uilm-key/auth/SIGN_IN";`,
    ],
  ])('%s becomes one import a key', (code, expected) => {
    expect(rewrite(code)).toBe(expected)
  })

  it('of an unknown key are replaced by imports of a generated module', () => {
    const code = `import { SIGN_IN, SIGN_ON as on } from '~uilm/auth'`
    const rewritten = rewriteImports({
      code,
      program: parseAst(code),
      findModule: (name) => model.modules.find((module) => module.name === name),
    })
    expect(rewritten?.unknown).toEqual([{ module: 'auth', name: 'SIGN_ON' }])
    expect(rewritten?.code).toBe(
      `import { message as SIGN_IN } from "~uilm-key/auth/SIGN_IN"; import { message as on } from "~uilm-unknown/auth/SIGN_ON";`,
    )
  })

  it.each([
    [`import { SIGN_IN } from '~uilm/auth'`, undefined],
    [
      `import { SIGN_IN, 'sort-by' as sort, GONE as x } from '~uilm/auth'`,
      `import { message as x } from "~uilm-unknown/auth/GONE"; import { SIGN_IN as SIGN_IN, "sort-by" as sort } from "~uilm/auth";`,
    ],
    [
      `export { GONE } from '~uilm/nowhere'`,
      `export { message as GONE } from "~uilm-unknown/nowhere/GONE";`,
    ],
    [`import { messages } from '~uilm/auth/messages'`, undefined],
    [`import * as auth from '~uilm/auth'`, undefined],
  ])('%s changes in development only where a key is unknown', (code, expected) => {
    const rewritten = rewriteImports({
      code,
      program: parseAst(code),
      findModule: (name) => model.modules.find((module) => module.name === name),
      isLookup: (name) => name === 'auth/messages',
      onlyUnknown: true,
    })
    expect(rewritten?.code).toBe(expected)
  })

  it.each([
    [
      `import { SIGN_IN, 'sort-by' as sort, sort$2d_by } from '~uilm/auth'`,
      `import { SIGN_IN as SIGN_IN, "sort-by" as sort, sort$2d_by as sort$2d_by } from "~uilm-imported/auth/SIGN_IN/sort+00242d_by";`,
    ],
    [
      `export { ITEM as item, GONE } from '~uilm/auth'`,
      `export { message as GONE } from "~uilm-unknown/auth/GONE"; export { ITEM as item } from "~uilm-imported/auth/ITEM";`,
    ],
    [`import * as auth from '~uilm/auth'`, undefined],
    [
      `import { GONE } from '~uilm/nowhere'`,
      `import { message as GONE } from "~uilm-unknown/nowhere/GONE";`,
    ],
    [
      `import auth, { ITEM } from '~uilm/auth'`,
      `import { default as auth, ITEM as ITEM } from "~uilm-imported/auth/ITEM";`,
    ],
  ])('%s loads only its keys in development', (code, expected) => {
    const rewritten = rewriteImports({
      code,
      program: parseAst(code),
      findModule: (name) => model.modules.find((module) => module.name === name),
      onlyUnknown: true,
      bundlesImported: true,
    })
    expect(rewritten?.code).toBe(expected)
  })

  it('of so many keys that a URL cannot contain their names load the whole module', () => {
    const names = Array.from({ length: 300 }, (_, index) => `A_LONG_NAME_OF_A_KEY_${index}`)
    const large = modelFrom({ 'en-US/auth': Object.fromEntries(names.map((name) => [name, ''])) })
    const code = `import { ${names.join(', ')} } from '~uilm/auth'`
    const rewritten = rewriteImports({
      code,
      program: parseAst(code),
      findModule: () => large.modules[0],
      onlyUnknown: true,
      bundlesImported: true,
    })
    expect(rewritten).toBeUndefined()
  })

  it.each([
    `import * as auth from '~uilm/auth'`,
    `export * from '~uilm/auth'`,
    `export * as auth from '~uilm/auth'`,
    `import '~uilm/auth'`,
    `const auth = await import('~uilm/auth')`,
    `import { useLanguage } from '~uilm/react'`,
    `import { getLanguage } from '~uilm'`,
    `import { SIGN_IN } from '~uilm/unknown'`,
    `const text = "import { SIGN_IN } from '~uilm/auth'"`,
    `import { x } from './x.js'`,
  ])('%s stays as it is', (code) => {
    expect(rewrite(code)).toBeUndefined()
  })

  it('leaves every other line where it was', () => {
    const code = `'use strict'\nimport { SIGN_IN } from '~uilm/auth'\nconst x = 1\nexport { x }\n`
    expect(rewrite(code)?.split('\n').slice(2)).toEqual(['const x = 1', 'export { x }', ''])
  })
})
