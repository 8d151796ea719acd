import { describe, expect, it } from 'vitest'
import { modelFrom } from '../../test/project.ts'
import { findModuleUses } from '../source/module-uses.ts'
import { parseSource } from '../source/parse-source.ts'
import { looksUpKeys, unknownNames, usedMessages } from './used-messages.ts'

const usesIn = (source: string) => findModuleUses(parseSource(source, 'file.ts')!)

const module = modelFrom({
  'en-US/auth': { SIGN_IN: 'a', SIGN_OUT: 'b', 'sort-by': 'c', größe: 'd', OTHER: 'e' },
}).modules[0]!

const used = (source: string) => usedMessages(usesIn(source), module).map(({ key }) => key)

describe('the messages that a file may use', () => {
  it.each([
    [`import { SIGN_IN } from '~uilm/auth'`, ['SIGN_IN']],
    [`import { SIGN_IN as a, 'sort-by' as b } from "~uilm/auth"`, ['SIGN_IN', 'sort-by']],
    [`import {\n  größe, // not SIGN_INN\n} from '~uilm/auth'`, ['größe']],
    [`export { OTHER } from '~uilm/auth'`, ['OTHER']],
    [`import { sort$2d_by } from '~uilm/auth'`, ['sort-by']],
    [`import { X } from '~uilm/authority'`, []],
    [`import { SIGN_IN } from '~uilm/auth' // instead of OTHER`, ['SIGN_IN']],
    [`import { SIGN_IN } from '~uilm/auth'; const text = "'~uilm/auth'"`, ['SIGN_IN']],
  ])('of %j are named in it', (source, keys) => {
    expect(used(source)).toEqual(keys)
  })

  it.each([
    `import * as auth from '~uilm/auth'`,
    `export * from "~uilm/auth"`,
    `const auth = await import('~uilm/auth')`,
    `import auth, * as all from '~uilm/auth'`,
    `import { SIGN_IN } from '~uilm/auth'\nconst all = require("~uilm/auth")`,
  ])('of %j are all of them', (source) => {
    expect(used(source)).toHaveLength(5)
  })
})

describe('a name that is not in the module', () => {
  it.each([
    [`import { SIGN_IN, SIGN_ON } from '~uilm/auth'`, 'SIGN_ON'],
    [`import { GONE as x } from "~uilm/auth"`, 'GONE'],
    [`  export { GONE } from '~uilm/auth'`, 'GONE'],
    [`import { SIGN_IN /* GONE */, OTHER, // GONE, \n } from '~uilm/auth'`, undefined],
    [`import { 'sort-by' as x, sort$2d_by } from '~uilm/auth'`, undefined],
    [`// import { GONE } from '~uilm/auth'`, undefined],
    [`import { GONE } from '~uilm/shop'`, undefined],
    [`import type { GONE } from '~uilm/auth'`, undefined],
  ])('is found in %j: %s', (source, name) => {
    expect(unknownNames(usesIn(source), 'auth', module)).toEqual(name === undefined ? [] : [name])
  })
})

describe('a file that looks up messages by name', () => {
  it.each([
    [`import * as m from '~uilm/auth'\nexport const say = (key) => m[key]()`, true],
    [`import a, * as $m from "~uilm/auth"; $m ?. [key]()`, true],
    [`import * as m from '~uilm/auth'\nm.SIGN_IN()`, false],
    [`import * as m from '~uilm/shop'\nm[key]()`, false],
    [`import * as m from '~uilm/auth'\nlist.m[key](); am[key]()`, false],
    [`import * as m from '~uilm/auth'\nm['SIGN_IN']() // m[key]`, false],
    [`const m = await import('~uilm/auth')\nm[key]()`, true],
  ])('is %j: %s', (source, expected) => {
    expect(looksUpKeys(usesIn(source), module)).toBe(expected)
  })
})
