import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { generate } from '../src/index.ts'
import { nestedFields, sampleListing } from './sample-listing.ts'
import { temporaryFolder } from './temporary.ts'
import { runTsc } from '@servicekit/testing/tsc'

// Runs real compilers on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

const head = `import { createGateway } from './gateway/gateway.js'
const gateway = createGateway({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
`
const listCall = (n: number): string => `
import { listProduct${n}s } from './gateway/product${n}.js'
export async function list${n}(): Promise<number> {
  const result = await listProduct${n}s(gateway, {
    select: ['Name', 'Price'],
    where: { Price: { gt: 5 }, or: [{ Name: { eq: 'x' } }] },
    order: [{ field: 'Price', direction: 'ASC' }],
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Name ?? '').length
}
`
const insertCall = (n: number): string => `
import { insertProduct${n} } from './gateway/product${n}.js'
export async function insert${n}(): Promise<string | null | undefined> {
  const inserted = await insertProduct${n}(gateway, { Name: 'Cup', Price: 12 })
  return inserted.ok ? inserted.data.itemId : inserted.errors[0]?.message
}
`
const nestedCall = (n: number): string => `
import { listProduct${n}sNested } from './gateway/product${n}.js'
export async function nested${n}(): Promise<number> {
  const result = await listProduct${n}sNested(gateway, {
    select: { Name: true, Price: true, Home: { City: true, Geo: { Lat: true } } },
    where: { Price: { gt: 5 } },
    paging: { pageNo: 1, pageSize: 20 },
  })
  if (!result.ok) return result.errors.length
  const first = result.data.items[0]
  return (first?.Price ?? 0) + (first?.Home?.City ?? '').length + (first?.Home?.Geo?.Lat ?? 0)
}
`
const updateCall = (n: number): string => `
import { deleteProduct${n}, updateProduct${n} } from './gateway/product${n}.js'
export async function update${n}(id: string): Promise<boolean> {
  const updated = await updateProduct${n}(gateway, id, { Price: 12 })
  const deleted = await deleteProduct${n}(gateway, id, { isHardDelete: true })
  return updated.ok && deleted.ok
}
`
const conditionCall = (n: number): string => `
import { deleteProduct${n} } from './gateway/product${n}.js'
export async function condition${n}(): Promise<boolean> {
  const deleted = await deleteProduct${n}(gateway, { Price: { gt: 5 } }, { isHardDelete: true })
  return deleted.ok
}
`
const each = (count: number, call: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => call(n)).join('')

async function project(listing: unknown, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = temporaryFolder()
  await generate({ listing, outDir: join(folder, 'gateway') })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), head + text)
  return folder
}

describe('type instantiations are', () => {
  test('at most 22 per flat operation, including all generated code', async () => {
    const count = 200
    const calls = each(count, (n) => listCall(n) + insertCall(n))
    const folder = await project(sampleListing(count), { 'all.ts': calls })
    const { errors, instantiations } = runTsc(folder, ['all.ts', 'gateway/*.ts'], {}, 'typescript')
    expect(errors).toEqual([])
    expect(instantiations / (2 * count)).toBeLessThanOrEqual(22)
  })

  test('at most 13 per update or delete by ItemId', async () => {
    const count = 100
    const listing = sampleListing(count, [], ['update', 'delete'])
    const folder = await project(listing, { 'all.ts': each(count, updateCall) })
    const { errors, instantiations } = runTsc(folder, ['all.ts'])
    expect(errors).toEqual([])
    expect(instantiations / (2 * count)).toBeLessThanOrEqual(13)
  })

  test('at most 40 per delete by a condition', async () => {
    const count = 100
    const listing = sampleListing(count, [], ['update', 'delete'])
    const folder = await project(listing, { 'all.ts': each(count, conditionCall) })
    const { errors, instantiations } = runTsc(folder, ['all.ts'])
    expect(errors).toEqual([])
    expect(instantiations / count).toBeLessThanOrEqual(40)
  })

  test('at most 110 for a selection that nests three levels deep', async () => {
    const count = 100
    const folder = await project(sampleListing(count, nestedFields), {
      'nested.ts': each(count, nestedCall),
    })
    const { errors, instantiations } = runTsc(folder, ['nested.ts'], {}, 'typescript')
    expect(errors).toEqual([])
    expect(instantiations / count).toBeLessThanOrEqual(110)
  })

  test('at most 410 for a file with one query, equal with 5 and 1,000 schemas', async () => {
    const runs = await Promise.all(
      [5, 1000].map(async (count) =>
        runTsc(
          await project(sampleListing(count), { 'one.ts': listCall(3) }),
          ['one.ts'],
          {},
          'typescript',
        ),
      ),
    )
    for (const { errors, instantiations } of runs) {
      expect(errors).toEqual([])
      expect(instantiations).toBeLessThanOrEqual(410)
    }
    expect(runs[0]?.instantiations).toBe(runs[1]?.instantiations)
    expect(runs[0]?.types).toBe(runs[1]?.types)
  })
})
