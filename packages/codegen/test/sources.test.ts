import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPlatform, type Platform } from '@servicekit/platform'
import { asAdministrator } from '@servicekit/testing/administrator'
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { generate, type GenerateOptions, type GenerateReport } from '../src/index.ts'
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'

// Takes long on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const projectKey = 'P5c1e7a90d2f84b6e8a3f9d41'
const baseUrl = 'http://platform.test'
let platform: Platform
const service = {
  baseUrl,
  projectKey,
  fetch: (url: string, init: RequestInit) => platform.fetch(new Request(url, init)),
}
const files = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
const differences = ({ problems }: GenerateReport): readonly string[] =>
  problems
    .filter(({ code }) => code === 'CROSS_CHECK')
    .map(({ schema, field = '', message }) => `${schema} ${field}: ${message}`)

beforeAll(async () => {
  const project = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
  platform = asAdministrator(await createPlatform({ projects: [project] }))
})
afterAll(() => platform.close())

async function introspect(): Promise<unknown> {
  const response = await service.fetch(`${baseUrl}/data/v4/gateway`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-key': projectKey },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  })
  return response.json()
}

describe('frozen', () => {
  test('generates the same files from the lockfile and opens no connection', async () => {
    const [live, frozen] = [temporaryFolder(), temporaryFolder()]
    await generate({ ...service, outDir: live })
    const lock = 'gateway.lock.json'
    writeFileSync(join(frozen, lock), readFileSync(join(live, lock)))
    const fetch = vi.fn<typeof globalThis.fetch>()
    const report = await generate({ baseUrl, projectKey, outDir: frozen, frozen: true, fetch })
    expect(fetch).not.toHaveBeenCalled()
    expect(report.schemas).toBe(6)
    expect(files(frozen)).toEqual(files(live))
  })

  test.each([
    [undefined, 'There is no lockfile'],
    ['{"lockVersion": 1, "files": {}}', 'The lockfile contains no listing'],
    ['<<<<<<< HEAD', 'The lockfile contains no listing'],
  ])('fails with help for the lockfile %j', async (text, message) => {
    const outDir = temporaryFolder()
    if (text !== undefined) writeFileSync(join(outDir, 'gateway.lock.json'), text)
    await expect(generate({ outDir, frozen: true })).rejects.toThrow(message)
  })

  test('cannot be used together with a comparison with the service', async () => {
    const options = { ...service, outDir: temporaryFolder(), frozen: true, crossCheck: true }
    await expect(generate(options)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})

describe('an executable schema instead of a listing', () => {
  const operations = async (options: Omit<GenerateOptions, 'outDir'>): Promise<string> => {
    const outDir = temporaryFolder()
    await generate({ ...options, outDir })
    const { 'product.ts': product = '', 'order.ts': order = '' } = files(outDir)
    // Compared without descriptions, requiredOn and the field of an unknown type.
    return (
      [...(product + order).matchAll(/= (\/\* @__PURE__ \*\/ .*|'ItemId.*)/g)]
        // The last argument names the fields that are required on updates.
        .map(([, text = '']) => text.replace(/^(.* toInput\(.*), '[^']*'\)$/, '$1)'))
        .join('\n')
    )
  }

  test('introspection, saved introspection and SDL give the operations of the listing', async () => {
    const folder = temporaryFolder()
    const saved = join(folder, 'introspection.json')
    const answer = await introspect()
    writeFileSync(saved, JSON.stringify(answer))
    const { buildClientSchema, printSchema } = await import('graphql')
    const { data } = answer as { data: Parameters<typeof buildClientSchema>[0] }
    const sdl = join(folder, 'schema.graphql')
    writeFileSync(sdl, printSchema(buildClientSchema(data)))
    const expected = await operations({ listing: storefront })
    expect(expected.split('\n').length).toBeGreaterThan(10)
    expect(await operations({ ...service, introspect: true })).toBe(expected)
    expect(await operations({ listing: saved })).toBe(expected)
    expect(await operations({ listing: sdl })).toBe(expected)
  })

  test('cannot be used with a prefix, and must be valid', async () => {
    const options = { listing: 'schema.graphql', outDir: temporaryFolder() }
    await expect(generate({ ...options, queryNaming: 'get-prefix' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
    const listing = join(temporaryFolder(), 'broken.graphql')
    writeFileSync(listing, 'type Query {')
    await expect(generate({ ...options, listing })).rejects.toMatchObject({
      code: 'LISTING_INVALID',
    })
  })

  test('shows a refusal of the service', async () => {
    const options = { ...service, projectKey: 'WRONG', introspect: true }
    await expect(generate({ ...options, outDir: temporaryFolder() })).rejects.toMatchObject({
      code: 'LISTING_FAILED',
    })
  })
})

test('introspected mutations replace those of a listing that does not name them all', async () => {
  const listing = (storefront as readonly object[]).map((schema) => ({
    ...schema,
    mutationSchemas: [],
  }))
  const generated = async (options: Partial<GenerateOptions>): Promise<string | undefined> => {
    const outDir = temporaryFolder()
    await generate({ ...service, ...options, outDir })
    return files(outDir)['product.ts']
  }
  expect(await generated({ listing })).not.toContain('updateProduct')
  const introspected = await generated({ listing, mutations: 'introspected' })
  expect(introspected).toBe(await generated({ listing: storefront }))
  for (const name of ['insertMany', 'update', 'updateMany', 'delete', 'deleteMany'])
    expect(introspected).toContain(`export const ${name}Product:`)
})

describe('the cross-check', () => {
  const check = async (options: Omit<GenerateOptions, 'outDir'>): Promise<readonly string[]> =>
    differences(await generate({ ...options, outDir: temporaryFolder() }))

  test('finds nothing if the listing matches the gateway', async () => {
    const found = await check({ ...service, crossCheck: true })
    // The sample project has a field of an unknown type, which is not selected, and a
    // duplicate field.
    expect(found).toEqual([])
  })

  test('reports every difference', async () => {
    const listing = (storefront as { schemaName: string; fields: { name: string }[] }[]).map(
      (schema) => {
        if (schema.schemaName === 'Category') return { ...schema, querySchema: 'getCategories' }
        if (schema.schemaName !== 'Product') return schema
        const fields = schema.fields
          .filter(({ name }) => name !== 'Sku')
          .map((field) => (field.name === 'Stock' ? { ...field, type: 'String' } : field))
        const mutationSchemas = ['insertProducts']
        return { ...schema, mutationSchemas, fields: [...fields, { name: 'New', type: 'Int' }] }
      },
    )
    expect(await check({ ...service, listing, crossCheck: true })).toEqual([
      'Category : the gateway has no query getCategories; it has Categories, see queryNaming',
      'Product : the gateway has no mutation insertProducts',
      'Product Stock: has type String in the listing and Int in the gateway',
      'Product New: the gateway does not have this field',
      'Product Sku: the listing does not have this field',
    ])
  })

  test('reports prefixed queries', async () => {
    const found = await check({ ...service, queryNaming: 'get-prefix', crossCheck: true })
    expect(found).toContain(
      'Product : the gateway has no query getProducts; it has Products, see queryNaming',
    )
  })

  test('accepts a saved schema', async () => {
    const saved = join(temporaryFolder(), 'introspection.json')
    writeFileSync(saved, JSON.stringify(await introspect()))
    expect(await check({ listing: storefront, crossCheck: saved })).toEqual([])
  })
})
