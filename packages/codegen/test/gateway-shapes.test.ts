import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkGenerated, runTsc } from '@servicekit/testing/tsc'
import { buildSchema, graphql } from 'graphql'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Gateway, GatewayResult } from '../runtime/gateway.ts'
import {
  buildModel,
  emitAll,
  generate,
  type GenerateOptions,
  normaliseListing,
  parseLock,
} from '../src/index.ts'
import { executableSchema } from './executable-schema.ts'
import { loadModules } from './load-modules.ts'
import { temporaryFolder } from './temporary.ts'

// Compiles generated code on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

const field = (name: string, type: string) => ({ name, type })
const listing = [
  {
    schemaName: 'Order',
    schemaType: 1,
    querySchema: 'Orders',
    mutationSchemas: ['insertOrder', 'updateOrder', 'deleteOrder'],
    fields: [field('itemId', 'String'), field('Number', 'Long'), field('Home', 'Address')],
  },
  {
    schemaName: 'Address',
    schemaType: 2,
    fields: [field('City', 'String'), field('Floor', 'Long')],
  },
]

/** Executable schema of deployed instances, by their public sources. */
const schema = executableSchema(listing, {
  queryPrefix: 'get',
  longFilter: 'StringOperationFilterInput',
  bulkResponse: 'ActionResponse',
  hasAllBulk: true,
  hasNestedFilters: true,
})

const deployed = {
  queryNaming: 'get-prefix',
  longFilter: 'string',
  bulkResponse: 'ActionResponse',
  bulkMutations: 'always',
  nestedFilters: true,
} as const satisfies Partial<GenerateOptions>

interface Paging {
  readonly pageNo?: number
  readonly pageSize?: number
}

/** An instance with 25 orders, which records the variables of its requests. */
function instance() {
  const received: unknown[] = []
  const rows = Array.from({ length: 25 }, (_, at) => ({
    ItemId: `o${10 + at}`,
    itemId: `own${at}`,
  }))
  const changed = { acknowledged: true, itemId: null, totalImpactedData: 2, message: null }
  const rootValue = {
    getOrders: ({ paging }: { readonly paging?: Paging }) => {
      const { pageNo, pageSize } = paging ?? { pageNo: 1, pageSize: rows.length }
      // Paging with one member is ignored.
      const [page, size] = pageNo && pageSize ? [pageNo, pageSize] : [1, 10]
      const totalPages = Math.ceil(rows.length / size)
      return {
        items: rows.slice((page - 1) * size, page * size),
        totalCount: rows.length,
        pageNo: page,
        pageSize: size,
        totalPages,
        hasNextPage: page < totalPages,
        hasPreviousPage: page > 1,
      }
    },
    insertManyOrder: () => ({ ...changed, itemIds: ['a', 'b'] }),
    updateManyOrder: () => changed,
    deleteManyOrder: () => changed,
  }
  const gateway: Gateway = {
    baseUrl: 'http://deployed.test',
    projectKey: 'P1',
    fetch: async (_, init) => {
      const { query, variables } = JSON.parse(String(init.body)) as { query: string; variables: {} }
      received.push(variables)
      return Response.json(
        await graphql({ schema, source: query, variableValues: variables, rootValue }),
      )
    },
  }
  return { gateway, received }
}

// oxlint-disable-next-line typescript/no-explicit-any -- other tests check the types
type Call = (gateway: Gateway, ...args: readonly unknown[]) => Promise<GatewayResult<any>>

async function generated(options: Partial<typeof deployed> & { readonly long?: 'string' }) {
  const { queryNaming = 'as-given', bulkMutations, ...emit } = options
  const model = buildModel(normaliseListing(listing), { queryNaming, bulkMutations })
  const modules = await loadModules(emitAll(model, emit), afterAll)
  return modules.get('index.ts') as Readonly<Record<string, Call>>
}

/** Calls that only the options of deployed instances make right. */
const calls: Readonly<
  Record<string, (code: Readonly<Record<string, Call>>, gateway: Gateway) => unknown>
> = {
  queryNaming: (code, gateway) => code['listGetOrders']?.(gateway) ?? code['listOrders']!(gateway),
  longFilter: (code, gateway) => code['countOrders']!(gateway, { Number: { eq: '5' } }),
  bulkResponse: (code, gateway) =>
    code['updateManyOrder']!(gateway, { Number: { in: ['5'] } }, { Number: 6 }),
  bulkMutations: (code, gateway) => code['insertManyOrder']!(gateway, [{}]),
  nestedFilters: (code, gateway) =>
    code['countOrders']!(gateway, { Home: { City: { eq: 'Basel' }, Floor: { eq: '5' } } }),
}

describe('a deployed instance', () => {
  test.each(Object.keys(calls))('executes what the option %s changes', async (name) => {
    const code = await generated(deployed)
    expect(await calls[name]!(code, instance().gateway)).toMatchObject({ ok: true })
  })

  test.each([
    ['queryNaming', /Cannot query field \\?"?Orders/],
    ['bulkResponse', /Cannot query field \\?"?itemIds/],
  ])('refuses the requests of code without the option %s', async (name, message) => {
    const others = Object.entries(deployed).filter(([option]) => option !== name)
    const code = await generated(Object.fromEntries(others))
    const result = await calls[name]!(code, instance().gateway)
    expect(result).toMatchObject({
      ok: false,
      errors: [{ message: expect.stringMatching(message) }],
    })
  })

  test('has bulk mutations only with the option, if the listing does not name them', async () => {
    const { bulkMutations: _, ...others } = deployed
    expect(Object.keys(await generated(others))).not.toContain('updateManyOrder')
    expect(Object.keys(await generated(deployed))).toEqual(
      expect.arrayContaining(['insertManyOrder', 'updateManyOrder', 'deleteManyOrder']),
    )
  })

  test.each(['number', 'string'] as const)(
    'receives strings in conditions on Longs, and numbers in inputs, with Longs as %s',
    async (long) => {
      const code = await generated({ ...deployed, ...(long === 'string' && { long }) })
      const { gateway, received } = instance()
      const input = { Number: long === 'string' ? '6' : 6 }
      const where = { Number: { eq: '5' } }
      expect(await code['updateManyOrder']!(gateway, where, input)).toEqual({
        ok: true,
        data: { acknowledged: true, itemId: null, totalImpactedData: 2, message: null },
      })
      expect(await code['listOrders']!(gateway, { select: [], where })).toMatchObject({ ok: true })
      const document = 'query($where: OrderFilterInput) { getOrders(where: $where) { totalCount } }'
      expect(await code['execute']!(gateway, document as never, { where })).toMatchObject({
        ok: true,
      })
      expect(received).toEqual([{ where, input: { Number: 6 } }, { where }, { where }])
    },
  )

  test('pages as it does without paging, and a walk reads every row', async () => {
    const code = await generated(deployed)
    const { gateway } = instance()
    expect(await code['listOrders']!(gateway, { select: ['itemId'] })).toMatchObject({
      data: { pageSize: 25, totalPages: 1, items: { 24: { ItemId: 'o34', itemId: 'own24' } } },
    })
    const walk = code['walkOrders'] as unknown as (
      gateway: Gateway,
      options: object,
    ) => AsyncGenerator<{ readonly items: readonly { readonly ItemId: string }[] }>
    const ids: string[] = []
    for await (const { items } of walk(gateway, { pageSize: 10, onMoved: expect.unreachable }))
      ids.push(...items.map(({ ItemId }) => ItemId))
    expect(ids).toHaveLength(25)
  })

  test('never receives a change whose nested condition is empty', async () => {
    const code = await generated(deployed)
    const { gateway, received } = instance()
    for (const [where, path] of [
      [{ Home: {} }, 'where.Home'],
      [{ Home: { City: {} } }, 'where.Home.City'],
      [{ Home: { City: { contains: '' } } }, 'where.Home.City.contains'],
      [{ or: [{ Home: { City: { eq: undefined } } }] }, 'where.or[0].Home.City.eq'],
    ] as const)
      expect(await code['deleteManyOrder']!(gateway, where, { isHardDelete: true })).toMatchObject({
        ok: false,
        errors: [
          {
            message: expect.stringContaining(`${path} is empty`) as string,
            extensions: { code: 'CONDITION_EMPTY' },
          },
        ],
      })
    expect(received).toEqual([])
  })
})

test('types follow the options', async () => {
  const folder = temporaryFolder()
  const features = { queryOptions: true, validators: true, lookups: true, factories: true }
  await generate({ listing, outDir: join(folder, 'gateway'), ...deployed, ...features })
  const use = `import type { Gateway } from './gateway/gateway.js'
import { deleteManyOrder, insertManyOrder, listOrders, updateManyOrder, updateManyOrderOptions } from './gateway/order.js'
export async function use(gateway: Gateway): Promise<readonly unknown[]> {
  const page = await listOrders(gateway, { select: ['itemId'], where: { Number: { startsWith: '5' }, Home: { City: { eq: 'Basel' }, Floor: { eq: '1' } } } })
  // @ts-expect-error a number for a string
  await listOrders(gateway, { where: { Number: { eq: 5 } } })
  // @ts-expect-error a list, which is no condition
  await listOrders(gateway, { where: { Home: { City: ['Basel'] } } })
  const updated = await updateManyOrder(gateway, { Home: { City: { eq: 'Basel' } } }, { Number: 5 })
  const inserted = await insertManyOrder(gateway, [{ Number: 5 }])
  const options = await updateManyOrderOptions(gateway).mutationFn({ where: { Number: { eq: '5' } }, input: {} })
  // @ts-expect-error the condition is empty
  await deleteManyOrder(gateway, { Home: {} }, { isHardDelete: true })
  return [
    page.ok && page.data.items[0]?.itemId,
    updated.ok && updated.data.itemId,
    inserted.ok && inserted.data.itemIds,
    options.itemId,
    // @ts-expect-error the short response has no itemIds
    updated.ok && updated.data.itemIds,
  ]
}
`
  writeFileSync(join(folder, 'use.ts'), use)
  checkGenerated(folder)
  expect(runTsc(folder, ['use.ts', 'gateway/*.ts']).errors).toEqual([])
})

test('an enum of an executable schema has its values, and those that are added later', async () => {
  const sdl = `
    enum Status { Open Closed }
    input StatusOperationFilterInput { eq: Status neq: Status in: [Status] }
    input TaskFilterInput { Status: StatusOperationFilterInput }
    input TaskInsertInput { Status: Status! Past: [Status] }
    type Task { ItemId: String Status: Status Past: [Status] }
    type TaskResult { items: [Task!]! totalCount: Int! pageNo: Int! pageSize: Int! totalPages: Int! hasNextPage: Boolean! hasPreviousPage: Boolean! }
    input DynamicSortInput { field: String! direction: String }
    input PaginationInput { pageNo: Int pageSize: Int }
    type ActionResponse { acknowledged: Boolean! itemId: String totalImpactedData: Int! message: String }
    type Query { getTasks(where: TaskFilterInput, order: [DynamicSortInput!], paging: PaginationInput): TaskResult }
    type Mutation { insertTask(input: TaskInsertInput): ActionResponse }`
  const folder = temporaryFolder()
  const outDir = join(folder, 'gateway')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'schema.graphql'), sdl)
  const features = { validators: true, factories: true, queryOptions: true }
  const source = join(folder, 'schema.graphql')
  const report = await generate({ listing: source, outDir, ...features })
  expect(report.problems).toEqual([])
  // The lock has the values, too.
  expect(await generate({ frozen: true, outDir, ...features })).toMatchObject({ isCurrent: true })
  const use = `import type { Gateway } from './gateway/gateway.js'
import { insertTask, listGetTasks, makeTaskInsertInput, TaskInsertSchema, type Task } from './gateway/task.js'
export const isOpen = ({ Status }: Task): boolean => Status === 'Open' || Status === 'Reopened'
export const use = async (gateway: Gateway): Promise<unknown> => [
  await listGetTasks(gateway, { where: { Status: { in: ['Open'] } } }),
  await insertTask(gateway, { Status: 'Postponed', Past: ['Open'] }),
  // @ts-expect-error a number for an enum
  await insertTask(gateway, { Status: 1 }),
  TaskInsertSchema['~standard'].validate(makeTaskInsertInput()),
]
`
  writeFileSync(join(folder, 'use.ts'), use)
  checkGenerated(folder)
  expect(runTsc(folder, ['use.ts', 'gateway/*.ts']).errors).toEqual([])
  const model = buildModel(
    normaliseListing(parseLock(readFileSync(join(outDir, 'gateway.lock.json'), 'utf8')).listing),
  )
  const modules = await loadModules(emitAll(model, features), afterAll)
  const { listGetTasks, makeTaskInsertInput } = modules.get('index.ts') as Record<string, Call>
  expect(makeTaskInsertInput!({} as never, 1)).toEqual({ Status: 'Closed' })
  const page = {
    totalCount: 1,
    pageNo: 1,
    pageSize: 10,
    totalPages: 1,
    hasNextPage: false,
    hasPreviousPage: false,
  }
  const gateway = {
    baseUrl: '',
    projectKey: 'P1',
    fetch: async (_: string, init: RequestInit) => {
      const { query, variables } = JSON.parse(String(init.body)) as { query: string; variables: {} }
      const rootValue = {
        getTasks: { ...page, items: [{ ItemId: 't', Status: 'Open', Past: [] }] },
      }
      return Response.json(
        await graphql({
          schema: buildSchema(sdl),
          source: query,
          variableValues: variables,
          rootValue,
        }),
      )
    },
  }
  expect(await listGetTasks!(gateway, { where: { Status: { eq: 'Open' } } })).toMatchObject({
    data: { items: [{ Status: 'Open', Past: [] }] },
  })
})
