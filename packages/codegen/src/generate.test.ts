import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { storefront, storefrontFile } from '../test/storefront.ts'
import { temporaryFolder } from '../test/temporary.ts'
import { type CodegenEvent, generate, type GenerateReport, runCodegen } from './generate.ts'

const texts = (folder: string): readonly string[] =>
  readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))

describe('a run', () => {
  test('tells what it does, and ends with its report', async () => {
    const outDir = temporaryFolder()
    const events: CodegenEvent[] = []
    for await (const event of runCodegen({ listing: storefrontFile, outDir })) events.push(event)
    expect(events).toMatchObject([
      { type: 'reading', from: storefrontFile },
      { type: 'modelled', schemas: 6, operations: 8 },
      { type: 'done', report: { schemas: 6, operations: 8, files: 10, unchanged: 0 } },
    ])
    const { report } = events.at(-1) as { readonly report: GenerateReport }
    expect(report.problems.map(({ code }) => code)).toEqual(['DUPLICATE_FIELD', 'TYPE_UNKNOWN'])
    expect(report.bytes).toBeGreaterThan(30_000)
    expect(report.isCurrent).toBe(false)
  })

  test.each([
    [{}, 10],
    [{ output: 'js' }, 19],
    [{ documents: 'node', queryOptions: true, validators: true, factories: true }, 14],
  ] as const)('the second one with %j writes nothing', async (options, unchanged) => {
    const given = { listing: storefront, outDir: temporaryFolder(), ...options }
    await generate(given)
    expect(await generate(given)).toMatchObject({
      written: [],
      removed: [],
      unchanged,
      isCurrent: true,
    })
  })

  test('a schema that is gone takes its file along', async () => {
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

describe('the last good files stay as they were', () => {
  const service = { baseUrl: 'https://api.example.com', projectKey: 'P1' }
  const broken = join(temporaryFolder(afterAll), 'broken.json')

  test.each([
    ['a saved listing that is cut off', { listing: broken }, 'LISTING_INVALID'],
    ['no saved listing', { listing: 'no/such/file.json' }, 'LISTING_FAILED'],
    ['a listing that is none', { listing: { isSuccess: true } }, 'LISTING_INVALID'],
    [
      'a service that fails',
      { ...service, fetch: async () => new Response('oops', { status: 500 }) },
      'LISTING_FAILED',
    ],
    [
      'an answer that is cut off',
      { ...service, fetch: async () => new Response('{"data": {"items": [') },
      'LISTING_INVALID',
    ],
    [
      'no network',
      { ...service, fetch: () => Promise.reject(new TypeError('fetch failed')) },
      'LISTING_FAILED',
    ],
    [
      'a listing that is empty all at once',
      { ...service, fetch: async () => Response.json({ data: { items: [], totalCount: 0 } }) },
      'LISTING_INVALID',
    ],
    ['an option that is none', { listing: storefrontFile, outdir: '' }, 'CONFIG_INVALID'],
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

  test('an empty listing is no fault where there was none before', async () => {
    const outDir = temporaryFolder()
    expect(await generate({ listing: [], outDir })).toMatchObject({ schemas: 0 })
    await generate({ listing: storefront, outDir })
    await expect(generate({ listing: [], outDir })).rejects.toThrow(/empty now\n.*\n.*6 schemas/)
    rmSync(join(outDir, 'gateway.lock.json'))
    expect(await generate({ listing: [], outDir })).toMatchObject({ schemas: 0 })
  })

  test('and the error says where', async () => {
    await expect(generate({ listing: 'no/such/file.json', outDir: 'out' })).rejects.toThrow(
      /^Could not read the saved schema listing\n {2}file: no\/such\/file\.json\n/,
    )
  })
})
