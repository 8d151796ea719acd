import { describe, expect, it } from 'vitest'
import { modelFrom } from '../../test/project.ts'
import { unknownKeyError } from './unknown-key.ts'

const { modules } = modelFrom({
  'en-US/auth': { SIGN_IN: 'a', SIGN_OUT: 'b', FORGOT_PASSWORD: 'c' },
  'en-US/cart': { CHECKOUT: 'd', ITEM: 'e' },
})

const errorFor = (name: string, source: string, module = 'auth') =>
  unknownKeyError({ module, name }, { file: 'src/app.ts', source }, modules)

describe('the error of an unknown key', () => {
  it('contains the line, the column and the surrounding lines', () => {
    const source = `import { a } from './a'
// SIGN_INN
import {
\tSIGN_OUT,
\tSIGN_INN as sign,
} from '~uilm/auth'

sign()
`
    const error = errorFor('SIGN_INN', source)
    expect(error.position).toEqual({ line: 5, column: 2, length: 8 })
    expect(error.message).toBe(
      [
        'src/app.ts:5:2: ~uilm/auth has no key SIGN_INN. Did you mean SIGN_IN?',
        '',
        '  3 | import {',
        '  4 | \tSIGN_OUT,',
        '> 5 | \tSIGN_INN as sign,',
        '    | \t^^^^^^^^',
        "  6 | } from '~uilm/auth'",
        '  7 |',
      ].join('\n'),
    )
  })

  it('has no position if the name is not found in the source', () => {
    expect(errorFor('GONE_KEY', 'nothing').message).toBe(
      'src/app.ts: ~uilm/auth has no key GONE_KEY.',
    )
  })

  it.each([
    ['SIGN_INN', 'auth', 'Did you mean SIGN_IN?'],
    ['sign_in', 'auth', 'Did you mean SIGN_IN?'],
    ['FORGOTPASSWORD', 'auth', 'Did you mean FORGOT_PASSWORD?'],
    ['CHECKOUT', 'auth', '~uilm/cart has it.'],
    ['CHEKOUT', 'auth', 'Did you mean CHECKOUT of ~uilm/cart?'],
    ['SIGN_IN', 'atuh', '~uilm/auth has it.'],
    ['TOTALLY_DIFFERENT', 'carts', 'Did you mean ~uilm/cart?'],
  ])('suggests for %s of %s: %s', (name, module, expected) => {
    expect(errorFor(name, '', module).summary.endsWith(` ${expected}`)).toBe(true)
  })

  it.each([
    ['TOTALLY_DIFFERENT', 'auth', '~uilm/auth has no key TOTALLY_DIFFERENT.'],
    ['X', 'auth', '~uilm/auth has no key X.'],
    ['X', 'nowhere', '~uilm/nowhere is not in the translations.'],
  ])('suggests nothing that is not similar: %s of %s', (name, module, expected) => {
    expect(errorFor(name, '', module).summary).toBe(expected)
  })
})
