import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'
import { runtimePlugin } from '../runtime-plugin.ts'
import type * as testing from '../src/testing.ts'
import { createGateway, execute } from '../runtime/gateway.ts'
import manifest from '../package.json' with { type: 'json' }
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
/** Packages of the majors that the package accepts as a peer. */
const versions = {
  15: path('../../testing/projects/peers/node_modules/graphql-15'),
  16: path('../node_modules/graphql'),
  17: path('../../testing/projects/peers/node_modules/graphql-17'),
} as const

test('every major of the peer graphql is tested', () => {
  const majors = manifest.peerDependencies.graphql.split(' || ')
  expect(majors).toEqual(Object.keys(versions).map((major) => `^${major}`))
  for (const [major, folder] of Object.entries(versions)) {
    const text = readFileSync(join(folder, 'package.json'), 'utf8')
    const { version } = JSON.parse(text) as { readonly version: string }
    expect(version).toMatch(new RegExp(`^${major}\\.`))
  }
})

describe.each(Object.entries(versions))(
  'with graphql %s, the gateway in memory',
  (_, graphqlFolder) => {
    let createMemoryGateway: typeof testing.createMemoryGateway
    beforeAll(async () => {
      const folder = temporaryFolder((remove) => void remove)
      await using bundle = await rolldown({
        input: path('../src/testing.ts'),
        platform: 'node',
        plugins: [runtimePlugin()],
        checks: { pluginTimings: false },
        resolve: {
          alias: { graphql: graphqlFolder },
          conditionNames: ['source', 'node', 'import'],
        },
      })
      const file = join(folder, 'testing.mjs')
      await bundle.write({ file, format: 'esm', codeSplitting: false })
      ;({ createMemoryGateway } = (await import(pathToFileURL(file).href)) as typeof testing)
    })

    const insert = (values: string, variables?: object) =>
      execute(
        createGateway(createMemoryGateway({ listing: storefront })),
        `mutation${variables ? '($input: ProductInsertInput)' : ''} { insertProduct(input: ${variables ? '$input' : `{ Name: "Cup", Price: 1, Sku: "C", ${values} }`}) { acknowledged } }`,
        variables && { input: { Name: 'Cup', Price: 1, Sku: 'C', ...variables } },
      )

    test.each([
      ['ReleasedAt', '2026-02-30', 'DateTime cannot be "2026-02-30"'],
      ['ReleasedAt', 'soon', 'DateTime cannot be "soon"'],
      ['ViewCount', 1.5, 'Long cannot be 1.5'],
      ['ViewCount', '7', 'Long cannot be "7"'],
      ['ViewCount', 2n ** 63n, 'Long cannot be 9223372036854775808'],
    ])('refuses %s: %s, in variables and in documents', async (field, value, message) => {
      const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
      for (const result of [
        await insert(`${field}: ${text}`),
        await insert('', { [field]: value }),
      ]) {
        expect(result).toMatchObject({
          ok: false,
          errors: [
            {
              message: expect.stringContaining(message) as string,
              extensions: { code: 'VALIDATION_ERROR' },
            },
          ],
        })
      }
    })

    test('normalises dates and keeps whole numbers', async () => {
      const memory = createMemoryGateway({ listing: storefront })
      const document =
        'mutation($input: ProductInsertInput) { insertProduct(input: $input) { acknowledged } }'
      const input = {
        Name: 'Cup',
        Price: 1,
        Sku: 'C',
        ViewCount: 7,
        ReleasedAt: '2026-01-02T03:04:05+01:00',
      }
      expect(await execute(createGateway(memory), document, { input })).toMatchObject({ ok: true })
      expect(memory.records('Product')).toMatchObject([
        { ViewCount: 7, ReleasedAt: '2026-01-02T02:04:05.000Z' },
      ])
    })
  },
)
