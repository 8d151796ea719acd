import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { storefront, storefrontFile } from '../test/storefront.ts'
import { temporaryFolder } from '../test/temporary.ts'
import { type CodegenEvent, generate, type GenerateReport, runCodegen } from './generate.ts'

const texts = (folder: string): readonly string[] =>
  readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))

describe('runCodegen', () => {
  test('yields its progress and ends with its report', async () => {
    const outDir = temporaryFolder()
    const events: CodegenEvent[] = []
    for await (const event of runCodegen({ listing: storefrontFile, outDir })) events.push(event)
    expect(events).toMatchObject([
      { type: 'reading', from: storefrontFile },
      { type: 'modelled', schemas: 6, operations: 28 },
      { type: 'done', report: { schemas: 6, operations: 28, files: 11, unchanged: 0 } },
    ])
    const { report } = events.at(-1) as { readonly report: GenerateReport }
    expect(report.problems.map(({ code }) => code)).toEqual(['DUPLICATE_FIELD'])
    expect(report.bytes).toBeGreaterThan(30_000)
    expect(report.isCurrent).toBe(false)
  })

  test.each([
    [{}, 11],
    [{ output: 'js' }, 21],
    [{ documents: 'node', queryOptions: true, validators: true, factories: true }, 15],
  ] as const)('writes nothing the second time with %j', async (options, unchanged) => {
    const given = { listing: storefront, outDir: temporaryFolder(), ...options }
    await generate(given)
    expect(await generate(given)).toMatchObject({
      written: [],
      removed: [],
      unchanged,
      isCurrent: true,
    })
  })

  test('removes the file of a removed schema', async () => {
    const outDir = temporaryFolder()
    await generate({ listing: storefront, outDir })
    const rest = (storefront as readonly { readonly schemaName: string }[]).filter(
      ({ schemaName }) => schemaName !== 'Category',
    )
    const report = await generate({ listing: rest, outDir })
    expect(report.removed).toEqual(['category.ts'])
    expect(report.written).toEqual(['index.ts', 'gateway.lock.json'])
  })
})

describe('generate keeps the last good files after', () => {
  const service = { baseUrl: 'https://api.example.com', projectKey: 'P1' }
  const broken = join(temporaryFolder(afterAll), 'broken.json')

  test.each([
    ['a truncated saved listing', { listing: broken }, 'LISTING_INVALID'],
    ['a missing saved listing', { listing: 'no/such/file.json' }, 'LISTING_FAILED'],
    ['a listing without a list', { listing: { isSuccess: true } }, 'LISTING_INVALID'],
    [
      'a failing service',
      { ...service, fetch: async () => new Response('oops', { status: 500 }) },
      'LISTING_FAILED',
    ],
    [
      'a truncated response',
      { ...service, fetch: async () => new Response('{"data": {"items": [') },
      'LISTING_INVALID',
    ],
    [
      'a network error',
      { ...service, fetch: () => Promise.reject(new TypeError('fetch failed')) },
      'LISTING_FAILED',
    ],
    [
      'a listing that became empty',
      { ...service, fetch: async () => Response.json({ data: { items: [], totalCount: 0 } }) },
      'LISTING_INVALID',
    ],
    ['an unknown option', { listing: storefrontFile, outdir: '' }, 'CONFIG_INVALID'],
  ])('%s', async (_, options, code) => {
    writeFileSync(broken, readFileSync(storefrontFile, 'utf8').slice(0, 5000))
    const outDir = temporaryFolder()
    await generate({ listing: storefront, outDir })
    const before = texts(outDir)
    await expect(generate({ ...options, outDir })).rejects.toMatchObject({
      name: 'CodegenError',
      code,
    })
    expect(texts(outDir)).toEqual(before)
  })

  test('accepts an empty listing unless the last one had schemas', async () => {
    const outDir = temporaryFolder()
    expect(await generate({ listing: [], outDir })).toMatchObject({ schemas: 0 })
    await generate({ listing: storefront, outDir })
    await expect(generate({ listing: [], outDir })).rejects.toThrow(/empty\n.*\n.*6 schemas/)
    rmSync(join(outDir, 'gateway.lock.json'))
    expect(await generate({ listing: [], outDir })).toMatchObject({ schemas: 0 })
  })

  test('names the file that could not be read', async () => {
    await expect(generate({ listing: 'no/such/file.json', outDir: 'out' })).rejects.toThrow(
      /^Could not read the saved schema listing\n {2}file: no\/such\/file\.json\n/,
    )
  })
})
