import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPlatform, parseProject, type Platform } from '@servicekit/platform'
import { gatewaySchema } from '../../platform/src/data/build-schema.ts'
import { buildModel as buildDataModel } from '../../platform/src/data/model.ts'
import { asAdministrator } from '@servicekit/testing/administrator'
import { isDeep } from '@servicekit/testing/is-deep'
import fc from 'fast-check'
import {
  buildClientSchema,
  getIntrospectionQuery,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildModel, emitAll, type Model, normaliseListing } from '../src/index.ts'
import { evaluateModule } from './evaluate-module.ts'
import { loadModules } from './load-modules.ts'
import { listings } from './random-listing.ts'
import { temporaryFolder } from './temporary.ts'
import { checkGenerated, runTsc } from '@servicekit/testing/tsc'

// The deep version tests ten thousand listings, which takes minutes.
vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 300_000 })

const count = isDeep ? 10_000 : 40
const samples = fc.sample(listings, { numRuns: count, seed: 20_26 })
/** Files that are the same for all listings. */
const shared = new Set(
  emitAll(buildModel(normaliseListing([])), {
    factories: true,
    validators: true,
    lookups: true,
  }).map(({ name }) => name),
)
shared.delete('index.ts')
shared.delete('gateway-longs.ts')
/** Each listing has Longs of another type. */
const longOf = (index: number) => (['number', 'bigint', 'string'] as const)[index % 3]!
const modelOf = (listing: unknown): Model => buildModel(normaliseListing(listing))

let platform: Platform
let runtime: Readonly<Record<string, unknown>>
beforeAll(async () => {
  platform = asAdministrator(await createPlatform({}))
  const modules = await loadModules(emitAll(modelOf([])), afterAll)
  runtime = Object.assign({}, ...modules.values()) as typeof runtime
})
afterAll(() => platform.close())

const post = async (body: object): Promise<{ readonly data: never; readonly errors?: unknown }> => {
  const response = await platform.fetch(
    new Request('http://platform.test/data/v4/gateway', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-key': 'Prandom' },
      body: JSON.stringify(body),
    }),
  )
  return (await response.json()) as never
}

/**
 * Returns the executable schema of a listing: from the running platform for some, and from the
 * function that builds it for the others. Loading 10,000 projects takes an hour.
 */
async function executableSchema(schemas: readonly object[], index: number): Promise<GraphQLSchema> {
  const project = parseProject({ projectKey: 'Prandom', name: 'Random', schemas })
  if (index >= 40) return gatewaySchema(buildDataModel(project.schemas)).schema
  await platform.loadProject(project)
  const { data } = await post({ query: getIntrospectionQuery() })
  return buildClientSchema(data)
}

/** Returns every document that the generated functions of a model send. */
async function documentsOf(model: Model, index: number): Promise<readonly string[]> {
  const sent: string[] = []
  const page = { items: [], totalPages: 2, totalCount: 0 }
  const gateway = {
    fetch: async (_: string, init: RequestInit) => {
      sent.push((JSON.parse(String(init.body)) as { query: string }).query)
      return Response.json({ data: { page, before: { items: [] } } })
    },
  }
  const options = { output: 'js', long: longOf(index) } as const
  const texts = new Map(emitAll(model, options).map(({ name, text }) => [name, text]))
  for (const { file, list, mutations, fields } of model.schemas) {
    const select = fields.flatMap(({ name, scalar }) => (scalar === undefined ? [] : [name]))
    const calls: (readonly [identifier: string, ...rest: readonly unknown[]])[] = []
    if (list !== undefined) {
      calls.push([list.identifier], [list.identifier, { select }], [list.get, 'a'], [list.count])
      calls.push([list.walk, { select }])
    }
    for (const [kind, { identifier }] of Object.entries(mutations)) {
      const where = kind.endsWith('Many') ? { ItemId: { eq: 'a' } } : 'a'
      const input = kind.startsWith('delete') ? { isHardDelete: true } : {}
      calls.push([identifier, ...(kind.startsWith('insert') ? [] : [where]), input])
    }
    const module = evaluateModule(texts.get(`${file}.js`)!, runtime)
    for (const [identifier, ...rest] of calls) {
      const ask = module[identifier] as (gateway: object, ...rest: readonly unknown[]) => unknown
      const before = sent.length
      const result = ask(gateway, ...rest)
      if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
        // The walk treats two empty pages as rows that moved.
        const pages = result as AsyncGenerator<unknown>
        while ((await pages.next().catch(() => ({ done: true }))).done !== true);
      } else await result
      expect(sent.length, identifier).toBeGreaterThan(before)
    }
  }
  return sent
}

describe(`${count} random listings`, () => {
  test('produce documents that the executable schema of the platform accepts', async () => {
    let documents = 0
    for (const [index, listing] of samples.entries()) {
      // The platform rejects projects with duplicate or unnamed schemas.
      const names = listing.map(({ schemaName }) => schemaName)
      const schemas = listing.filter(
        ({ schemaName }, at) => schemaName !== '' && names.indexOf(schemaName) === at,
      )
      const model = modelOf(schemas)
      const sent = await documentsOf(model, index)
      const schema = await executableSchema(schemas, index)
      const errors = sent.flatMap((text) =>
        validate(schema, parse(text)).map(({ message }) => `${message} in ${text}`),
      )
      expect(errors, `${index}: ${JSON.stringify(listing)}`).toEqual([])
      documents += sent.length
    }
    expect(documents).toBeGreaterThan(5 * count)
  })

  test('produce modules without type errors', () => {
    const batch = 500
    for (let start = 0; start < samples.length; start += batch) {
      const folder = temporaryFolder()
      const files: string[] = []
      for (const [index, listing] of samples.slice(start, start + batch).entries()) {
        mkdirSync(join(folder, String(index)))
        for (const { name, text } of emitAll(modelOf(listing), {
          factories: true,
          validators: true,
          lookups: true,
          long: longOf(start + index),
        })) {
          const file = join(String(index), name)
          // All listings share one runtime.
          if (index > 0 && shared.has(name))
            symlinkSync(join(folder, '0', name), join(folder, file))
          else {
            writeFileSync(join(folder, file), text)
            files.push(file)
          }
        }
      }
      checkGenerated(folder)
      expect(runTsc(folder, files).errors, `from ${start}`).toEqual([])
    }
  })
})
