import { expect, it } from 'vitest'
import type { KeyRecord } from '../state/records.ts'
import { formatSize } from './read-manifest.ts'
import { readReport } from './read-report.ts'
import { isUnused, usageSourceOf } from './usage.ts'

const row = (key: string, usedIn?: readonly string[]): KeyRecord => ({
  module: 'app',
  key,
  texts: {},
  drafts: {},
  states: {},
  isRemoved: false,
  ...(usedIn && { details: { usedIn } }),
})
const report = (more: object) => JSON.stringify({ files: 3, findings: [], ...more })
const messages = new Map([['app\nA', { bytes: new Map([['en', 5]]), chunks: [] }]])

it('reads which messages no code uses from a report of a check that read source files', () => {
  const finding = { module: 'app', key: 'ITEMS' }
  const findings = [
    { rule: 'unused', ...finding },
    { rule: 'missing', ...finding, key: 'A' },
  ]
  const unused = readReport(report({ findings }))!
  expect([...unused]).toEqual(['app\nITEMS'])
  const known = { unused, messages }
  expect(['ITEMS', 'ITEMS_one', 'A'].map((key) => isUnused(row(key), known))).toEqual([
    true,
    true,
    false,
  ])
  for (const text of [report({ files: 0 }), report({ findings: {} }), '{"version":1}', 'x']) {
    expect(readReport(text)).toBeUndefined()
  }
})

it('uses the best source that is known', () => {
  expect(usageSourceOf({ unused: new Set(), messages })).toBe('report')
  const built = { unused: undefined, messages }
  expect(usageSourceOf(built)).toBe('manifest')
  expect([isUnused(row('A'), built), isUnused(row('B', ['a.ts']), built)]).toEqual([false, true])
  const none = { unused: undefined, messages: undefined }
  expect(usageSourceOf(none)).toBe('recorded')
  expect([isUnused(row('A'), none), isUnused(row('B', ['a.ts']), none)]).toEqual([true, false])
})

it('formats the bytes of a message in all languages', () => {
  const bytes = (...sizes: number[]) => ({
    bytes: new Map(sizes.map((size, index) => [`l${index}`, size] as const)),
    chunks: [],
  })
  expect([bytes(5, 3), bytes(4, 4), undefined].map(formatSize)).toEqual(['3–5 B', '4 B', '–'])
})
