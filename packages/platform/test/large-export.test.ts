import { onEachEngine } from '@servicekit/testing/engines'
import { control } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Platform, PlatformOptions } from '../src/index.ts'

const total = 1200
const numbers = Array.from({ length: total }, (_, n) => String(n).padStart(4, '0'))
const texts = Object.fromEntries(numbers.map((n) => [`K${n}`, `Text ${n}`]))
const schemas = ['First', 'Second'].map((schemaName) => ({
  schemaName,
  schemaType: 1,
  querySchema: `${schemaName}s`,
  fields: [{ name: 'Name', type: 'String' }],
}))
const records = numbers.map((n) => ({ ItemId: `r${n}`, Name: `Record ${n}` }))

onEachEngine((engine) => {
  describe('the export of many records', () => {
    let platform: Platform
    let mostRows = 0
    let openCursors = 0
    let mostCursors = 0
    const trace: NonNullable<PlatformOptions['trace']> = async (_kind, attributes, run) => {
      const statement = String(attributes['db.query.text'])
      if (statement.startsWith('declare')) mostCursors = Math.max(mostCursors, ++openCursors)
      if (statement.startsWith('close')) openCursors--
      const result = await run()
      const { rows = [] } = (result ?? {}) as { readonly rows?: readonly unknown[] }
      mostRows = Math.max(mostRows, rows.length)
      return result
    }
    beforeAll(async () => {
      platform = await engine.open({ trace })
      const languages = { en: { a: texts, b: texts }, de: { a: texts, b: { K0000: null } } }
      const all = { First: records, Second: records }
      await platform.loadProject(project('P', languages, { schemas, records: all }))
    })
    beforeEach(() => {
      mostRows = 0
      mostCursors = 0
    })
    const exportOf = async () => {
      const response = await control(platform, 'P', 'GET', '/export')
      return (await response.json()) as {
        readonly texts: Record<string, Record<string, Record<string, string | null>>>
        readonly records: Record<string, readonly { readonly ItemId: string }[]>
      }
    }

    it('has all of them, and reads at most 500 rows at a time', async () => {
      const exported = await exportOf()
      expect(exported.texts).toEqual({
        en: { a: texts, b: texts },
        de: { a: texts, b: { K0000: null } },
      })
      for (const name of ['First', 'Second']) {
        const ids = exported.records[name]!.map(({ ItemId }) => ItemId)
        expect(ids).toEqual(records.map(({ ItemId }) => ItemId))
      }
      expect(mostRows).toBe(500)
    })

    it('runs one at a time', async () => {
      const [first, ...others] = await Promise.all([exportOf(), exportOf(), exportOf()])
      for (const other of others) expect(other).toEqual(first)
      expect(mostCursors).toBe(1)
    })

    it('is compressed for clients that accept it', async () => {
      const headers = { 'accept-encoding': 'gzip' }
      const url = 'http://localhost/_platform/projects/P/export'
      const incoming = { socket: { remoteAddress: '127.0.0.1' } }
      const response = await platform.fetch(new Request(url, { headers }), { incoming } as never)
      expect(response.headers.get('content-encoding')).toBe('gzip')
      const bytes = response.body!.pipeThrough(new DecompressionStream('gzip'))
      expect(await new Response(bytes).json()).toEqual(await exportOf())
    })
  })
})
