import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSetCookie } from './set-cookie.ts'

const past = 'Thu, 01 Jan 1970 00:00:00 GMT'
const future = 'Wed, 21 Oct 2099 07:28:00 GMT'

describe('parseSetCookie', () => {
  it('reads the name, value, path and domain', () => {
    expect(parseSetCookie(' a = b=c ; PATH=/iam; domain=.a.test; HttpOnly; Secure')).toEqual({
      name: 'a',
      value: 'b=c',
      path: '/iam',
      domain: '.a.test',
      isExpired: false,
    })
    expect(parseSetCookie('a=; Path=; Domain')).toMatchObject({
      value: '',
      path: undefined,
      domain: undefined,
    })
  })

  it.each([
    ['a=1', false],
    [`a=1; Expires=${past}`, true],
    [`a=1; Expires=${future}`, false],
    ['a=1; Expires=never', false],
    ['a=1; Max-Age=0', true],
    ['a=1; Max-Age=-1', true],
    ['a=1; max-age=60', false],
  ])('reads whether %s is expired: %s', (header, isExpired) => {
    expect(parseSetCookie(header)).toMatchObject({ isExpired })
  })

  it.each([
    [`a=1; Max-Age=60; Expires=${past}`, false],
    [`a=1; Expires=${past}; Max-Age=60`, false],
    [`a=1; Max-Age=0; Expires=${future}`, true],
  ])('lets Max-Age override Expires in %s', (header, isExpired) => {
    expect(parseSetCookie(header)).toMatchObject({ isExpired })
  })

  it.each([
    [`a=1; Max-Age=; Expires=${past}`, true],
    [`a=1; Max-Age=soon; Expires=${future}`, false],
  ])('ignores a Max-Age that is not an integer in %s', (header, isExpired) => {
    expect(parseSetCookie(header)).toMatchObject({ isExpired })
  })

  it('applies the last of repeated attributes', () => {
    expect(parseSetCookie('a=1; Path=/a; Path=/b; Max-Age=0; Max-Age=60')).toMatchObject({
      path: '/b',
      isExpired: false,
    })
  })

  it.each(['', 'a', '=a', ' =a; Path=/', '; a=1'])('ignores %j, which has no name', (header) => {
    expect(parseSetCookie(header)).toBeUndefined()
  })

  it('reads back every name and value that a cookie may have', () => {
    const token = fc.stringMatching(/^[\w!#$%&'*+.^`|~-]+$/)
    const value = fc.stringMatching(/^[!#-+\--:<-[\]-~]*$/)
    fc.assert(
      fc.property(token, value, (name, text) => {
        expect(parseSetCookie(`${name}=${text}; Path=/`)).toMatchObject({ name, value: text })
      }),
    )
  })
})
