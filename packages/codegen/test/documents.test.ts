import { isDeep } from '@servicekit/testing/is-deep'
import fc from 'fast-check'
import { parse, print, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildModel, emitAll, type Model, normaliseListing } from '../src/index.ts'
import { evaluateModule } from './evaluate-module.ts'
import { executableSchema } from './executable-schema.ts'
import { loadModules } from './load-modules.ts'
import { listings } from './random-listing.ts'
import { storefront } from './storefront.ts'

// Takes long on machines that may be busy.
vi.setConfig({ testTimeout: isDeep ? 3_600_000 : 120_000, hookTimeout: 120_000 })

let runtime: Readonly<Record<string, unknown>>
beforeAll(async () => {
  const modules = await loadModules(emitAll(buildModel(normaliseListing([]))), afterAll)
  runtime = Object.assign({}, ...modules.values()) as typeof runtime
})

type List = (gateway: object, options?: object) => Promise<unknown>
type Walk = ((gateway: object, options?: object) => AsyncGenerator<unknown>) | undefined
type Mutate = (gateway: object, ...rest: readonly unknown[]) => Promise<unknown>

interface Documents {
  /** Every GraphQL document that the generated code of a model sends. */
  readonly sent: readonly string[]
  /** Each exported document with the document that its function sends. */
  readonly pairs: readonly (readonly [exported: string, sent: string])[]
}

async function documentsOf(model: Model): Promise<Documents> {
  const texts = new Map(emitAll(model, { output: 'js' }).map(({ name, text }) => [name, text]))
  const sent: string[] = []
  const pairs: (readonly [string, string])[] = []
  const gateway = {
    baseUrl: '',
    projectKey: 'P1',
    fetch: async (_: string, init: RequestInit) => {
      const { query } = JSON.parse(String(init.body)) as { query: string }
      sent.push(query)
      const [field = ''] = /(?<=\{)\w+/.exec(query) ?? []
      const page = { items: [{ ItemId: `${sent.length}` }], totalPages: 2, totalCount: 2 }
      return Response.json({ data: { [field]: page, [`${field}Before`]: { items: [] } } })
    },
  }
  for (const { file, type, list, mutations, fields } of model.schemas) {
    const module = evaluateModule(texts.get(`${file}.js`)!, runtime)
    const pair = (identifier: string): unknown =>
      pairs.push([module[`${identifier}Document`] as string, sent.at(-1)!])
    if (list !== undefined) {
      const call = module[list.identifier] as List
      await call(gateway)
      pair(list.identifier)
      const scalars = fields.filter((field) => field.scalar).map((field) => field.name)
      await call(gateway, { select: scalars.slice(-1), where: {}, order: [], paging: {} })
      const nested = module[`${list.identifier}Nested`] as List | undefined
      await nested?.(gateway, { select: shapeOf(model, type, 3) })
      await (module[list.get] as (gateway: object, itemId: string) => unknown)(gateway, 'a')
      await (module[list.count] as List)(gateway)
      for (const walk of [list.walk, `${list.walk}Nested`].map((name) => module[name] as Walk)) {
        const pages = walk?.(gateway, { select: shapeOf(model, type, 3) })
        // The walk treats rows that are missing on the page before as rows that moved.
        while ((await pages?.next().catch(() => ({ done: true })))?.done === false);
      }
    }
    for (const [kind, { identifier }] of Object.entries(mutations)) {
      const where = kind.endsWith('Many') ? { ItemId: { eq: 'a' } } : 'a'
      const input = kind.startsWith('delete') ? { isHardDelete: true } : {}
      const rest = kind.startsWith('insert') ? [[]] : [where, input]
      const before = sent.length
      await (module[identifier] as Mutate)(gateway, ...rest)
      expect(sent, identifier).toHaveLength(before + 1)
      pair(identifier)
    }
  }
  return { sent, pairs }
}

/** Returns a selection of everything, down to a depth. */
function shapeOf(model: Model, type: string, depth: number): object {
  const schema = model.schemas.find((one) => one.type === type)
  const members = (schema?.fields ?? []).flatMap((field): [string, unknown][] => {
    if (field.scalar !== undefined) return [[field.name, true]]
    if (field.object === undefined || depth === 0) return []
    return [[field.name, shapeOf(model, field.object.type, depth - 1)]]
  })
  return Object.fromEntries(members)
}

/**
 * A listing whose schemas have between 9 and 20 fields of every type. Every tenth is a nested
 * object, which the others contain.
 */
function manySchemas(count: number): Parameters<typeof executableSchema>[0] {
  const scalars = ['String', 'Int', 'Float', 'Boolean', 'DateTime', 'ID', 'Long', 'GeoJson']
  return Array.from({ length: count }, (_, index) => {
    const schemaName = `Entity${index}`
    const fields = Array.from({ length: 5 + (index % 12) }, (_, at) => {
      const isObject = at === 4
      const nested = `Entity${(Math.floor(index / 10) * 10 + at * 10) % count}`
      return {
        name: `Field${at}`,
        type: isObject ? nested : scalars[(index + at) % scalars.length]!,
        isArray: (index + at) % 7 === 0,
        requiredOn: ['None', 'Insert', 'Update', 'Both'][(index + at) % 4]!,
      }
    })
    const kinds = ['insert', 'insertMany', 'update', 'updateMany', 'delete', 'deleteMany']
    return {
      schemaName,
      schemaType: index % 10 === 0 ? 2 : 1,
      querySchema: `${schemaName}s`,
      mutationSchemas: kinds.map((kind) => kind + schemaName),
      fields: [{ name: 'ItemId', type: 'String' }, ...fields],
    }
  })
}

/** Returns the documents of a listing, and those that its executable schema rejects. */
async function validated(
  listing: Parameters<typeof executableSchema>[0],
): Promise<{ readonly sent: readonly string[]; readonly invalid: readonly string[] }> {
  const schema = executableSchema(listing)
  const { sent, pairs } = await documentsOf(buildModel(normaliseListing(listing)))
  const canonical = (text: string): string => print(parse(text))
  expect(pairs.map(([exported]) => canonical(exported))).toEqual(
    pairs.map(([, text]) => canonical(text)),
  )
  const invalid = [...new Set(sent)].flatMap((text) =>
    validate(schema, parse(text)).map(({ message }) => `${message} in ${text}`),
  )
  return { sent, invalid }
}

describe('graphql-js accepts every document against the executable schema', () => {
  test('of the storefront', async () => {
    const { invalid } = await validated(storefront as Parameters<typeof executableSchema>[0])
    expect(invalid).toEqual([])
  })

  test('with the prefix get', async () => {
    const listing = storefront as Parameters<typeof executableSchema>[0]
    const schema = executableSchema(listing, { queryPrefix: 'get' })
    const model = buildModel(normaliseListing(listing), { queryNaming: 'get-prefix' })
    const { sent } = await documentsOf(model)
    expect(sent).toHaveLength(54)
    for (const text of sent) expect(validate(schema, parse(text))).toEqual([])
  })

  // 1,000 schemas take a minute.
  test.each(isDeep ? [1000] : [50])('of %i schemas with every mutation', async (count) => {
    const { sent, invalid } = await validated(manySchemas(count))
    expect(invalid).toEqual([])
    const operations = (pattern: RegExp): number => sent.filter((text) => pattern.test(text)).length
    expect(operations(/^mutation/)).toBe(6 * 0.9 * count)
    // List with and without select, get, count, and two pages of a walk, for each entity.
    expect(operations(/^query/)).toBeGreaterThan(6 * 0.9 * count)
  })

  test('of random listings', async () => {
    await fc.assert(
      fc.asyncProperty(listings, async (listing) => {
        expect((await validated(listing)).invalid).toEqual([])
      }),
      { numRuns: isDeep ? 10_000 : 40 },
    )
  })
})

describe('random listings', () => {
  test('never fail, and always give the same bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(fc.anything()), listings), (listing) => {
        const emit = (): unknown => emitAll(buildModel(normaliseListing(listing)))
        expect(emit()).toEqual(emit())
      }),
      { numRuns: 500 },
    )
  })

  test('no two schemas share a file, a type or a function', () => {
    fc.assert(
      fc.property(listings, (listing) => {
        const { schemas } = buildModel(normaliseListing(listing))
        const files = emitAll({ schemas, problems: [] })
        const fileNames = files.map(({ name }) => name.toLowerCase())
        expect(new Set(fileNames).size).toBe(fileNames.length)
        const exported = files
          .filter(({ name }) => name !== 'index.ts')
          .flatMap(({ text }) =>
            [
              ...text.matchAll(
                /^export (?:const|interface|type|class|function|async function) ([\p{ID_Continue}]+)/gmu,
              ),
            ].map(([, name]) => name),
          )
        expect(new Set(exported).size).toBe(exported.length)
      }),
      { numRuns: 500 },
    )
  })
})
