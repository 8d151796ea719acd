import { join } from 'node:path'
import { checkGenerated, runTsc } from '@servicekit/testing/tsc'
import { expect, test, vi } from 'vitest'
import { runtimeParts } from '../src/runtime-exports.ts'
import { generate } from '../src/index.ts'
import { fileNamesOf } from '../src/names.ts'
import { temporaryFolder } from './temporary.ts'

// Compiles generated code on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

test('schemas named like types of TypeScript and of the runtime compile with every feature', async () => {
  const names = ['Exclude', 'Partial', 'Pick', 'Promise', 'GatewayLongs', 'GeoJson', 'L']
  const fields = ['Name', 'name'].map((name) => ({ name, type: 'String' }))
  const listing = names.map((schemaName) => ({
    schemaName,
    querySchema: `${schemaName}s`,
    mutationSchemas: ['insert', 'updateMany'].map((kind) => kind + schemaName),
    fields: [...fields, { name: 'Part', type: 'Pick' }],
  }))
  const folder = temporaryFolder()
  const features = { queryOptions: true, validators: true, factories: true, lookups: true }
  await generate({ listing, outDir: join(folder, 'gateway'), ...features, labels: true })
  checkGenerated(folder)
  expect(runTsc(folder, ['gateway/*.ts']).errors).toEqual([])
})

test.each([...runtimeParts, 'gateway-responses', 'index', 'con', 'lpt1'])(
  'a schema named %s has another file name',
  (name) => {
    const schema = name.replaceAll('-', '_')
    const titled = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
    expect(fileNamesOf(titled).next().value).not.toBe(name)
    expect(fileNamesOf(schema).next().value).not.toBe(name)
  },
)
