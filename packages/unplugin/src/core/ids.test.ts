import { describe, expect, it } from 'vitest'
import {
  importedSpecifier,
  keySpecifier,
  packSpecifier,
  parseSpecifier,
  virtualId,
  virtualOf,
} from './ids.ts'

describe('specifiers', () => {
  it('distinguish the runtime, its adapters and modules', () => {
    expect(parseSpecifier('~uilm')).toEqual({ kind: 'runtime' })
    expect(parseSpecifier('~uilm/react')).toEqual({ kind: 'file', name: 'react' })
    expect(parseSpecifier('~uilm/auth')).toEqual({ kind: 'module', module: 'auth' })
    expect(parseSpecifier('~uilm/my texts')).toEqual({ kind: 'module', module: 'my texts' })
  })

  it.each(['~uilmx', 'uilm/auth', './~uilm/auth', '~', ''])('do not include %j', (specifier) => {
    expect(parseSpecifier(specifier)).toBeUndefined()
  })

  it.each([
    'SIGN_IN',
    'sort-by-price',
    'a.b/c',
    '../../etc',
    'größe',
    'logo.svg',
    'কী',
    'say "hi"',
    "it's `${x}` \\",
    'a+0041',
    '\u2028\n\t ',
    '\ud800 lone',
    '🙂',
    '__proto__',
  ])('encode and decode the key %j', (key) => {
    const specifier = keySpecifier('my texts/1', { key })
    expect(specifier).toMatch(/^~uilm-key\/[\w+-]+\/[\w+-]+$/)
    expect(parseSpecifier(specifier)).toEqual({ kind: 'key', module: 'my texts/1', key })
  })

  it('encode and decode language and module of a pack', () => {
    expect(parseSpecifier(packSpecifier('my texts', 'zh-Hant-TW'))).toEqual({
      kind: 'pack',
      language: 'zh-Hant-TW',
      module: 'my texts',
      names: [],
    })
  })

  it('encode and decode the names of imported keys', () => {
    expect(parseSpecifier(importedSpecifier('my texts', ['A', 'größe']))).toEqual({
      kind: 'imported',
      module: 'my texts',
      names: ['A', 'größe'],
    })
  })

  it.each(['auth', 'my texts', 'a+b', 'logo.svg', 'x?y#z'])(
    'of the module %j become ids that no other plugin handles as a file',
    (module) => {
      const id = virtualId(`~uilm/${module}`)
      expect(id).toMatch(/^\0~uilm\/[\w+-]+$/)
      expect(virtualOf(id)).toEqual({ kind: 'module', module })
    },
  )

  it('do not parse the ids of other plugins', () => {
    expect(virtualOf('/src/~uilm/auth')).toBeUndefined()
    expect(virtualOf('\0react')).toBeUndefined()
  })
})
