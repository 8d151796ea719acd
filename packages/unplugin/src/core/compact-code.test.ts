import { emitRuntime } from '@servicekit/catalog'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import { adapterCode } from './adapter-code.ts'
import { compactCode } from './compact-code.ts'

const runtime = emitRuntime({
  languages: [
    { code: 'en-US', name: 'It\'s "English" // not /* a comment */' },
    { code: 'ar-EG', name: 'two  spaces `${x}`' },
  ],
  defaultLanguage: 'en-US',
  storageKey: '  language  ',
})

/** Returns a normalised program, independent of its formatting. */
const meaning = async (code: string): Promise<string> =>
  (await transform(code, { minifyWhitespace: true, legalComments: 'none' })).code

it.each([
  ['the runtime', runtime],
  ...(['react', 'vue', 'svelte', 'solid'] as const).map((name) => [name, adapterCode(name)]),
  [
    'statements that end with a line',
    "let a = 1\nlet b = a\n++b\ndo b++\nwhile (b < 9)\nif (b) b\n'x'",
  ],
  ['signs that would join', 'let a = 1 - -1 + +2\na = a++ + ++a\nlet f = (b) => b / 2 / a\n'],
  ['a comment for a line', 'let a = 1 /* one\ntwo */ let b = typeof /* x */ a'],
])('%s says the same without its white space', async (_, code) => {
  const short = compactCode(code!)
  expect(await meaning(short)).toBe(await meaning(code!))
  expect(short.length).toBeLessThan(code!.length)
})

it('leaves nothing of the runtime that a minifier would take away but names', async () => {
  const short = compactCode(runtime)
  const { code } = await transform(short, { minifyWhitespace: true })
  expect(short.length).toBeLessThanOrEqual(code.length * 1.03)
})

it('keeps what bundlers read', () => {
  expect(compactCode('const a = /* @__PURE__ */ make(x)\n')).toBe(
    'const a=/* @__PURE__ */make(x)\n',
  )
})
