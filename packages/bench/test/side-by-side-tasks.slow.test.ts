import { generate } from '@servicekit/codegen'
import { createPlatform, type Platform } from '@servicekit/platform'
import { build } from 'esbuild'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tasks } from '../side-by-side/lib/tasks.mjs'
import { removeFolders, temporaryFolder } from '../lib/temporary-folder.mjs'

// oxlint-disable-next-line typescript/no-explicit-any -- the tasks are typed by generated code
type Functions = Readonly<Record<string, any>>

const sideBySide = join(import.meta.dirname, '../side-by-side')
const time = '2026-03-01T12:00:00.000Z'

let platform: Platform
let code: Functions
beforeAll(async () => {
  const project = join(sideBySide, 'project')
  platform = await createPlatform({ projects: [project], openProjects: true, clock: time })
  code = await loadTasks(join(project, 'schemas.json'))
  const respond = (url: string, init: RequestInit): Promise<Response> =>
    platform.fetch(new Request(url, init))
  Object.assign(code['gateway'], { fetch: respond })
})
afterAll(async () => {
  await platform?.close()
  removeFolders()
})

/** Bundles the tasks of Servicekit as an application does, with the gateway that they use. */
async function loadTasks(listing: string): Promise<Functions> {
  const folder = temporaryFolder()
  cpSync(join(sideBySide, 'servicekit'), folder, { recursive: true })
  await generate({ listing, outDir: join(folder, 'generated'), lookups: true, validators: true })
  const files = [...Object.keys(tasks).map((name) => `tasks/${name}`), 'client']
  const outfile = join(folder, 'tasks.mjs')
  await build({
    stdin: {
      contents: `${files.map((name) => `export * from './${name}.ts'`).join('\n')}
export { deleteManyCategory, insertCategory } from './generated/category.js'
export { deleteManyProduct, insertProduct } from './generated/product.js'`,
      resolveDir: folder,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'error',
  })
  return (await import(pathToFileURL(outfile).href)) as Functions
}

describe('the tasks of Servicekit, with the local platform,', () => {
  let cups = ''
  let plates = ''
  beforeEach(async () => {
    const { gateway, deleteManyProduct, deleteManyCategory, insertCategory, insertProduct } = code
    const all = [{ ItemId: { neq: null } }, { isHardDelete: true }] as const
    await deleteManyProduct(gateway, ...all)
    await deleteManyCategory(gateway, ...all)
    const category = async (Name: string): Promise<string> =>
      (await insertCategory(gateway, { Name })).data.itemId
    cups = await category('Cups')
    plates = await category('Plates')
    const products = [
      { Name: 'Blue cup', Price: 12, Sku: 'C-1', Stock: 3, CategoryId: cups, Status: 'draft' },
      { Name: 'Red cup', Price: 9, Sku: 'C-2', Stock: 0, CategoryId: cups, Status: 'active' },
      { Name: 'Blue plate', Price: 20, Sku: 'P-1', CategoryId: plates, Status: 'draft' },
    ]
    for (const product of products) {
      expect(await insertProduct(gateway, product)).toMatchObject({ ok: true })
    }
  })

  const idOf = async (name: string): Promise<string> =>
    (await code['list']({ search: name, sort: 'Name', direction: 'ASC', pageNo: 1 })).rows[0].ItemId

  test('list rows by optional filters, sorted, with their number', async () => {
    const page = { sort: 'Price', direction: 'DESC', pageNo: 1 }
    const names = async (options: object): Promise<unknown> => {
      const { rows, total } = await code['list']({ ...page, ...options })
      return [rows.map(({ Name }: { Name: string }) => Name), total]
    }
    expect(await names({})).toEqual([['Blue plate', 'Blue cup', 'Red cup'], 3])
    expect(await names({ search: 'Blue', categoryId: cups })).toEqual([['Blue cup'], 1])
    expect(await names({ pageNo: 2 })).toEqual([[], 3])
  })

  test('get one record, or null', async () => {
    const ItemId = await idOf('Blue cup')
    const cup = { ItemId, Name: 'Blue cup', Description: null, Stock: 3, summary: '' }
    expect(await code['get'](ItemId)).toEqual(cup)
    expect(await code['get']('nobody')).toBeNull()
  })

  test('show the names of the categories of products', async () => {
    const rows = (await code['relation']()) as readonly { name: string }[]
    expect(rows.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual([
      { name: 'Blue cup', category: 'Cups' },
      { name: 'Blue plate', category: 'Plates' },
      { name: 'Red cup', category: 'Cups' },
    ])
  })

  test('read the columns that are chosen at run time', async () => {
    const rows = (await code['columns'](['Sku'])) as readonly object[]
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(Object.keys(row).sort()).toEqual(['ItemId', 'Sku'])
  })

  test('insert and update one record', async () => {
    const id: string = await code['insert']('Bowl', 'B-1', 7)
    expect(await code['get'](id)).toMatchObject({ Name: 'Bowl' })
    await code['update'](id, 'Large bowl')
    expect(await code['get'](id)).toMatchObject({ ItemId: id, Name: 'Large bowl' })
    await expect(code['update']('nobody', 'Bowl')).rejects.toThrow('No Product matches.')
  })

  test('update and delete all records that match', async () => {
    const tomorrow = new Date(Date.parse(time) + 86_400_000)
    expect(await code['updateMany'](cups)).toBe(2)
    expect(await code['deleteMany'](tomorrow)).toBe(1)
    const statuses = ((await code['columns'](['Name', 'Status'])) as readonly { Status: string }[])
      .map(({ Status }) => Status)
      .sort()
    expect(statuses).toEqual(['archived', 'archived'])
  })

  test('search a pick list', async () => {
    expect(await code['pickList']('pl')).toEqual([{ value: plates, label: 'Plates' }])
  })

  test('insert the values of a form, or name the fields with problems', async () => {
    const { id } = await code['form']({ Name: 'Bowl', Sku: 'B-1', Price: 7 })
    expect(await code['get'](id)).toMatchObject({ Name: 'Bowl' })
    const { issues } = await code['form']({ Name: 'Bowl', Price: '7' })
    expect(issues.map(({ field }: { field: string }) => field).sort()).toEqual(['Price', 'Sku'])
  })
})
