import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { GraphQLSchema } from 'graphql'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import type * as loading from '../src/loader.ts'
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

describe.each(Object.entries(versions))('with graphql %s', (_, graphqlFolder) => {
  test('the loader returns the complete executable schema', async () => {
    const folder = temporaryFolder()
    await using bundle = await rolldown({
      input: path('../src/loader.ts'),
      platform: 'node',
      checks: { pluginTimings: false },
      resolve: { alias: { graphql: graphqlFolder }, conditionNames: ['source', 'node', 'import'] },
    })
    const file = join(folder, 'loader.mjs')
    await bundle.write({ file, format: 'esm', codeSplitting: false })
    const { servicekitSchema } = (await import(pathToFileURL(file).href)) as typeof loading
    const [pointer] = Object.entries(servicekitSchema({ listing: storefront, full: true }))
    const schema = (await pointer![1].loader(pointer![0])) as GraphQLSchema
    const { insertProduct } = schema.getMutationType()!.getFields()
    expect(String(insertProduct?.type)).toBe('ActionResponse')
    expect(insertProduct?.args.map(({ name, type }) => `${name}: ${String(type)}`)).toEqual([
      'input: ProductInsertInput',
    ])
  })
})
