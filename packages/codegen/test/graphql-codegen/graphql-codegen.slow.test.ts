import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CodegenConfig } from '@graphql-codegen/cli'
import type { Types } from '@graphql-codegen/plugin-helpers'
import { isDeep } from '@servicekit/testing/is-deep'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { generate, type Problem } from '../../src/index.ts'
import type { SchemaPointer } from '../../src/loader.ts'
import type { servicekitPreset } from '../../src/preset.ts'
import { sampleListing } from '../sample-listing.ts'
import { storefront, storefrontFile } from '../storefront.ts'
import { temporaryFolder } from '../temporary.ts'

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const require = createRequire(import.meta.url)
const commands = {
  5: require.resolve('graphql-codegen-cli-5/package.json'),
  6: require.resolve('graphql-codegen-cli-6/package.json'),
  7: require.resolve('@graphql-codegen/cli/package.json'),
} as const
/** Preset that users configure together with ours. */
const clientPreset = require.resolve('@graphql-codegen/client-preset')

// Runs the command of GraphQL Code Generator on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** User document that uses every part of the executable schema. */
const ownDocument = `
query Cheap($where: ProductFilterInput, $max: Float) {
  Products(where: { and: [$where, { Price: { lt: $max } }] }, order: [{ field: "Price", direction: ASC }]) {
    totalCount
    items { ItemId Name Price }
  }
  Orders(paging: { pageNo: 1, pageSize: 5 }) { items { Lines { Sku } ShippingAddress { City Location } } }
}
mutation Add($input: ProductInsertInput) { insertProduct(input: $input) { acknowledged itemId } }
`

type Files = readonly (readonly [name: string, text: string])[]

const sorted = (files: Files): Files =>
  [...files].sort(([left], [right]) => (left < right ? -1 : 1))
const within = (folder: string, files: Files): Files =>
  files.map(([name, text]) => [`${folder}/${name}`, text])

/** Returns the files of a folder without the lock, which only `generate` writes. */
function filesIn(folder: string): Files {
  const names = readdirSync(folder).filter((name) => name !== 'gateway.lock.json')
  return sorted(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

async function expected(listing: unknown, options: object = {}): Promise<Files> {
  const folder = temporaryFolder()
  await generate({ listing, outDir: folder, ...options })
  return filesIn(folder)
}

/** Creates a project with the built package installed, like an application. */
function project(files: Readonly<Record<string, string>>, atEnd?: typeof afterAll): string {
  const folder = temporaryFolder(atEnd)
  const installed = join(folder, 'node_modules', '@servicekit', 'codegen')
  mkdirSync(installed, { recursive: true })
  for (const name of ['graphql', '@graphql-codegen']) {
    symlinkSync(path(`./node_modules/${name}`), join(folder, 'node_modules', name))
  }
  const exports = { './preset': './dist/preset.js', './loader': './dist/loader.js' }
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name: '@servicekit/codegen', type: 'module', exports }),
  )
  for (const name of ['dist', 'runtime']) {
    cpSync(path(`../../${name}`), join(installed, name), { recursive: true })
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function node(
  folder: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(process.execPath, args, { cwd: folder })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

// Fail when types are checked: the preset and the pointer match the types of the generator.
expectTypeOf<typeof servicekitPreset>().toExtend<Types.OutputPreset>()
expectTypeOf<SchemaPointer>().toExtend<CodegenConfig['schema']>()

describe('the preset', () => {
  interface Outcome {
    readonly files?: Files
    readonly error?: string
    readonly problems: readonly Problem[]
  }
  let outcomes: Readonly<Record<string, Outcome>>
  const [one, two] = [sampleListing(1), sampleListing(2)]
  const filesOf = (name: string): Files | undefined => {
    const { files } = outcomes[name]!
    return files && sorted(files)
  }

  beforeAll(async () => {
    const listings = JSON.stringify({ storefront, one, two })
    const folder = project(
      {
        'listings.mjs': `export const listings = ${listings}\nexport const clientPreset = ${JSON.stringify(clientPreset)}\n`,
        'own.graphql': ownDocument,
        'mistaken.graphql': ownDocument.replace('Price', 'Prize'),
      },
      afterAll,
    )
    copyFileSync(path('./codegen-scenarios.mjs'), join(folder, 'run.mjs'))
    const { output } = await node(folder, 'run.mjs')
    outcomes = JSON.parse(output.slice(output.lastIndexOf('\n'))) as typeof outcomes
  })

  test('generates the same bytes as generate', async () => {
    expect(filesOf('plain')).toEqual(within('src/gateway', await expected(storefront)))
  })

  test('generates the same if its schema is merged with another one', async () => {
    expect(filesOf('merged')).toEqual(within('gateway', await expected(storefront)))
  })

  test('works next to client-preset for the user’s documents', async () => {
    const files = filesOf('beside') ?? []
    const ours = files.filter(([name]) => name.startsWith('gateway/'))
    expect(ours).toEqual(within('gateway', await expected(storefront)))
    const [, own = ''] = files.find(([name]) => name === 'own/graphql.ts') ?? []
    expect(own).toContain('export type CheapQuery')
    expect(own).toContain('AddMutationVariables')
    expect(outcomes['mistaken']?.error).toContain('Prize')
  })

  test('keeps several projects apart', async () => {
    expect(filesOf('several')).toEqual([
      ...within('live', await expected(two)),
      ...within('one', await expected(one)),
      ...within('two', await expected(two)),
    ])
  })

  test('takes the options of generate', async () => {
    const options = { queryNaming: 'get-prefix', importExtension: '.ts' }
    expect(filesOf('options')).toEqual(within('g', await expected(storefront, options)))
  })

  test('writes labels, the diagram and the other outputs that the options enable', async () => {
    const options = { labels: true, diagram: true, validators: true, lookups: true }
    const all = await expected(storefront, options)
    expect(all.map(([name]) => name)).toEqual(
      expect.arrayContaining(['diagram.md', 'gateway.labels.json', 'gateway-lookup.ts']),
    )
    expect(filesOf('features')).toEqual(within('g', all))
  })

  test('reports problems', () => {
    expect(outcomes['plain']?.problems).toMatchObject([
      { code: 'DUPLICATE_FIELD', schema: 'Customer', field: 'street' },
    ])
  })

  test.each([
    ['foreign', 'The schema contains no listing of the data gateway'],
    ['misspelt', 'Did you mean "queryNaming"?'],
    ['refused', 'Project not found'],
  ])('%s: fails with help', (name, message) => {
    expect(outcomes[name]?.error).toContain(message)
  })
})

const configurations = {
  'codegen.mjs': `import { servicekitPreset } from '@servicekit/codegen/preset'
    import { servicekitSchema } from '@servicekit/codegen/loader'
    export default {
      schema: servicekitSchema({ listing: './schemas.json' }),
      generates: { './src/gateway/': { preset: servicekitPreset } },
    }`,
  'codegen.yml': `schema:
  - ./schemas.json:
      loader: '@servicekit/codegen/loader'
generates:
  ./src/gateway/:
    preset: '@servicekit/codegen/preset'
`,
} as const
type Configuration = keyof typeof configurations

/** Returns one form of the configuration for each older version; the deep tests take both. */
const configurationsOf = (version: keyof typeof commands): readonly Configuration[] => {
  const all = Object.keys(configurations) as Configuration[]
  if (version === 7 || isDeep) return all
  return version === 6 ? ['codegen.mjs'] : ['codegen.yml']
}

describe.each([5, 6, 7] as const)('the command graphql-codegen %i', (version) => {
  const cli = commands[version].replace(/package\.json$/, 'esm/bin.js')
  test.each(configurationsOf(version))('with %s', async (name) => {
    const text = configurations[name]
    // Versions 5 and 6 resolve it from their own location first, where this workspace has
    // a build.
    const isByPath = version < 7 && name.endsWith('.yml')
    const place = './node_modules/@servicekit/codegen/dist/$1.js'
    const listing = readFileSync(storefrontFile, 'utf8').replace(
      '"name": "CompareAtPrice", "type": "Float"',
      '"name": "CompareAtPrice", "type": "Money"',
    )
    const folder = project({
      [name]: isByPath ? text.replaceAll(/@servicekit\/codegen\/(\w+)/g, place) : text,
      'schemas.json': listing,
    })
    const { code, output } = await node(folder, cli, '--config', name)
    expect(output).toContain(
      'Product CompareAtPrice: type Money is neither a scalar nor a listed schema',
    )
    expect(code).toBe(0)
    expect(filesIn(join(folder, 'src/gateway'))).toEqual(await expected(JSON.parse(listing)))
    expect(await node(folder, cli, '--config', name, '--check')).toMatchObject({ code: 0 })
    // `generate` takes over the files of the preset.
    const report = await generate({
      listing: JSON.parse(listing),
      outDir: join(folder, 'src/gateway'),
    })
    expect(report.written).toEqual(['gateway.lock.json'])
  })
})
