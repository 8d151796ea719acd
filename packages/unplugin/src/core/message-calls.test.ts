import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import { findMessageCalls, type MessageCall } from './message-calls.ts'

const find = (code: string) =>
  findMessageCalls(code, parseAst(code)) as [MessageCall, ...MessageCall[]]

describe('the calls that create messages', () => {
  it.each([
    ['message(pack, "~uilm-key/auth/A")', 'pack'],
    ["a$(b,'~uilm-key/auth/A')", 'b'],
    ['rt.message( rt.pack ,\n `~uilm-key/auth/A` )', 'rt.pack'],
    ['(0, rt.message)(pack, /* ) */ "~uilm-key/auth/A@0123abcd")', 'pack'],
  ])('are found in %s', (call, pack) => {
    const code = `const a = ${call}`
    const [{ start, from, to, ...found }, ...more] = find(code)
    expect(found).toEqual({ pack, specifier: '~uilm-key/auth/A' })
    expect(start).toBe('const a = '.length)
    expect(code.slice(from, to)).toMatch(/^(?:rt\.)?(?:pack|b)\b.*["'`]$/s)
    expect(more).toEqual([])
  })

  it.each([
    'import x from "~uilm-key/auth/A"',
    `const text = 'message(pack, "~uilm-key/auth/A")'`,
    '// message(pack, "~uilm-key/auth/A")',
    'const pattern = /message(pack,"~uilm-key.auth.A")/',
  ])('are not found in %s', (code) => {
    expect(find(code)).toEqual([])
  })
})
