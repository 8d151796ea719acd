import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPlatform, type Platform } from '@servicekit/platform'
import { isDeep } from '@servicekit/testing/is-deep'
import { project } from '@servicekit/testing/projects'
import { runTsc } from '@servicekit/testing/tsc'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  createGateway,
  type GatewayFetched,
  type GatewayResult,
  orThrow,
} from '../runtime/gateway.ts'
import { buildModel, emitAll, generate, normaliseListing } from '../src/index.ts'
import { loadModules } from './load-modules.ts'
import { temporaryFolder } from './temporary.ts'

type Row = Readonly<Record<string, unknown>>
interface Data {
  readonly itemId: string
  readonly items: readonly Row[]
}
type Call = (gateway: unknown, ...args: readonly unknown[]) => Promise<GatewayResult<Data>>

let platform: Platform
beforeAll(async () => void (platform = await createPlatform({})), 120_000)
afterAll(() => platform.close())
const fetchPlatform = (url: string, init: RequestInit): Promise<GatewayFetched> =>
  platform.fetch(new Request(url, init))

const listingOf = (names: readonly string[]) => [
  {
    schemaName: 'Part',
    schemaType: 1,
    querySchema: 'Parts',
    mutationSchemas: ['insertPart', 'updatePart'],
    fields: names.map((name) => ({ name, type: 'String' })),
  },
]

/** The same letters in several cases. */
const fieldNames = fc
  .uniqueArray(
    fc
      .constantFrom('itemid', 'name', 'tags', 'createddate')
      .chain((word) =>
        fc
          .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
          .map((upper) =>
            [...word].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(''),
          ),
      ),
    { minLength: 1, maxLength: 6 },
  )
  .map((names) => names.filter((name) => !['ItemId', 'Tags', 'CreatedDate'].includes(name)))
  .filter((names) => names.length > 0)

/**
 * Calls each generated function with each field, and expects the values of an inserted row.
 *
 * @returns the names in a row without `select`.
 */
async function checkFields(names: readonly string[]): Promise<readonly string[]> {
  const schemas = listingOf(names) as never
  await platform.loadProject(project('Pcases', {}, { schemas }))
  const files = emitAll(buildModel(normaliseListing(listingOf(names))), { labels: true })
  const code = files.filter(({ name }) => name.endsWith('.ts'))
  const modules = await loadModules(code, (remove) => void onTestFinished(remove))
  const { insertPart, listParts, updatePart, toPartInsert, PartLabels } = modules.get(
    'index.ts',
  ) as Record<string, Call> & { toPartInsert: (row: Row) => Row; PartLabels: object }
  const gateway = createGateway({
    baseUrl: 'http://platform.test',
    projectKey: 'Pcases',
    fetch: fetchPlatform,
  })
  const input = Object.fromEntries(names.map((name) => [name, `of ${name}`]))
  const { itemId } = await orThrow(insertPart!(gateway, input))
  const select = names
  for (const name of names) {
    const where = { [name]: { eq: `of ${name}` }, ItemId: { eq: itemId } }
    const { items } = await orThrow(listParts!(gateway, { select, where }))
    expect(items).toEqual([{ ItemId: itemId, ...input }])
  }
  expect(toPartInsert({ ItemId: itemId, ...input })).toEqual(input)
  expect(Object.keys(PartLabels)).toEqual(expect.arrayContaining([...names]))
  const changed = Object.fromEntries(names.map((name) => [name, `new ${name}`]))
  await orThrow(updatePart!(gateway, itemId, changed))
  const options = { select, where: { ItemId: { eq: itemId } } }
  const { items } = await orThrow(listParts!(gateway, options))
  expect(items).toEqual([{ ItemId: itemId, ...changed }])
  const { items: rows } = await orThrow(listParts!(gateway))
  return Object.keys(rows[0]!)
}

test('fields whose names differ only in case are all in rows, filters and inputs', async () => {
  await fc.assert(
    fc.asyncProperty(fieldNames, async (names) => {
      const selected = await checkFields(names)
      expect(selected).toContain('ItemId')
      const folded = selected.map((name) => name.toLowerCase())
      expect(new Set(folded).size).toBe(folded.length)
      for (const name of names) expect(folded).toContain(name.toLowerCase())
    }),
    { numRuns: isDeep ? 300 : 15 },
  )
}, 120_000)

test('the platform stores them all as well', async () => {
  const names = ['itemId', 'ITEMID', 'name', 'Name', 'tags', 'createdDate']
  const selected = await checkFields(names)
  expect(selected).toEqual(expect.arrayContaining(['ItemId', 'name', 'tags', 'createdDate']))
  expect(selected).not.toContain('itemId')
})

test('types have all of them, and rows without select the selected ones', async () => {
  const folder = temporaryFolder()
  await generate({
    listing: listingOf(['itemId', 'Name', 'name']),
    outDir: join(folder, 'api'),
    queryOptions: true,
  })
  writeFileSync(
    join(folder, 'use.ts'),
    `
import { createGateway, getPart, insertPart, listParts, listPartsOptions, orThrow, walkParts } from './api/index.js'
const gateway = createGateway({ baseUrl: '', projectKey: '' })
export async function use(): Promise<unknown> {
  await insertPart(gateway, { itemId: 'a', Name: 'b', name: 'c' })
  const where = { itemId: { eq: 'a' }, name: { eq: 'c' } }
  const [chosen] = (await orThrow(listParts(gateway, { where, select: ['itemId', 'name'] }))).items
  const [row] = (await orThrow(listParts(gateway))).items
  const one = await orThrow(getPart(gateway, 'a'))
  for await (const { items } of walkParts(gateway)) {
    // @ts-expect-error it is not selected
    if (items[0]?.name) break
  }
  const cached = await listPartsOptions(gateway).queryFn({ signal: new AbortController().signal } as never)
  return [
    chosen?.itemId, chosen?.name, row?.ItemId, row?.Name, one?.Name, cached.items[0]?.Name,
    // @ts-expect-error it is not selected
    row?.itemId,
    // @ts-expect-error it is not selected
    one?.name,
    // @ts-expect-error it is not selected
    cached.items[0]?.name,
  ]
}
`,
  )
  expect(runTsc(folder, ['use.ts']).errors).toEqual([])
})
