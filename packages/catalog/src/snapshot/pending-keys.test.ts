import { describe, expect, it } from 'vitest'
import type { KeyEntries, KeyEntry } from '../model/key-draft.ts'
import { printKeyFile, withEntry } from './key-file.ts'
import { settle, withPending } from './pending-keys.ts'

const entriesOf = (keys: Record<string, KeyEntry>): KeyEntries =>
  new Map([['cart', new Map(Object.entries(keys))]])
const merged = (texts: Record<string, string>, keys: Record<string, KeyEntry>, language = 'en') =>
  Object.fromEntries(
    withPending(
      new Map(Object.entries(texts)),
      { language, module: 'cart' },
      { entries: entriesOf(keys), defaultLanguage: 'en' },
    ),
  )

describe('pending keys', () => {
  it('add a source text in its language only, and never replace a served one', () => {
    expect(merged({ B: 'b' }, { A: { text: 'a' } })).toEqual({ A: 'a', B: 'b' })
    expect(merged({ B: 'b' }, { A: { text: 'a' } }, 'de')).toEqual({ B: 'b' })
    expect(merged({}, { A: { text: 'a', language: 'de' } }, 'de')).toEqual({ A: 'a' })
    expect(merged({ A: 'served' }, { A: { text: 'a' } })).toEqual({ A: 'served' })
  })

  it('use the translation of the former key after a rename', () => {
    const keys = { NEW: { renamedFrom: 'OLD', text: 'never published' } }
    expect(merged({ OLD: 'alt' }, keys, 'de')).toEqual({ NEW: 'alt' })
    expect(merged({}, keys)).toEqual({ NEW: 'never published' })
    expect(merged({ OLD: 'old', NEW: 'new' }, keys)).toEqual({ NEW: 'new' })
  })

  it('are no longer pending once the source serves them, but keep their details', () => {
    const before = entriesOf({
      A: { text: 'a', maxLength: 5 },
      B: { text: 'b' },
      C: { context: 'c' },
    })
    const after = settle(before, (_, key) => key === 'A')
    expect(printKeyFile(after)).toBe(
      '{\n  "cart": {\n    "A": {"maxLength":5},\n    "B": {"text":"b"},\n    "C": {"context":"c"}\n  }\n}\n',
    )
  })

  it('leave no file when the last entry is gone', () => {
    expect(printKeyFile(withEntry(entriesOf({ A: { text: 'a' } }), 'cart', 'A', undefined))).toBe(
      undefined,
    )
  })
})
