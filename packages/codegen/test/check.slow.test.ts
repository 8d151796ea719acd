import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isDeep } from '@servicekit/testing/is-deep'
import { describe, expect, test, vi } from 'vitest'
import { type CheckReport, generate, runCheck } from '../src/index.ts'
import { baseListing, editsOf, type EditedSchema, type Expected } from './edits.ts'
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'

// Runs the type checker on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 })

const { resolve } = createRequire(import.meta.url)
const foldersOf = {
  typescript: dirname(resolve('typescript/package.json')),
  'typescript-7': dirname(resolve('typescript-7/package.json')),
}

async function check(outDir: string, listing: unknown): Promise<CheckReport> {
  const run = runCheck({ listing, outDir })
  for (;;) {
    const step = await run.next()
    if (step.done === true) return step.value
  }
}

/** Returns user code with one line for each export of a listing. */
function userCode(listing: readonly EditedSchema[]): string {
  const entities = listing.filter(({ schemaType }) => schemaType === 1)
  const lines = entities.flatMap(({ schemaName: name, querySchema, mutationSchemas, fields }) => [
    `import { list${querySchema}, ${mutationSchemas?.[0]}, type ${name} } from './gateway/${name.toLowerCase()}.js'`,
    `export const rowsOf${name} = () => list${querySchema}(gateway)`,
    `export const made${name} = (input: Parameters<typeof ${mutationSchemas?.[0]}>[1]) => ${mutationSchemas?.[0]}(gateway, input)`,
    ...fields.map(
      (field) =>
        `export const ${name}${field.name} = (row: ${name}): ${rowType(field)} => row.${field.name}`,
    ),
    `export const input${name} = () => ${mutationSchemas?.[0]}(gateway, { ${fields
      .filter(({ requiredOn }) => requiredOn === 'Insert' || requiredOn === 'Both')
      .map((field) => `${field.name}: ${sampleOf(field)}`)
      .join(', ')} })`,
  ])
  return `import type { Gateway } from './gateway/gateway.js'\ndeclare const gateway: Gateway\n${lines.join('\n')}\n`
}

const scalars: Readonly<Record<string, readonly [type: string, sample: string]>> = {
  String: ['string', "'a'"],
  ID: ['string', "'a'"],
  DateTime: ['string', "'2026-01-01'"],
  Int: ['number', '1'],
  Long: ['number', '1'],
  Float: ['number', '1.5'],
  Boolean: ['boolean', 'true'],
}

function rowType({ type, isArray }: EditedSchema['fields'][number]): string {
  const name = scalars[type]?.[0] ?? 'object'
  return isArray === true ? `readonly (${name} | null)[] | null` : `${name} | null`
}

function sampleOf({ type, isArray }: EditedSchema['fields'][number]): string {
  const sample = scalars[type]?.[1] ?? '{}'
  return isArray === true ? `[${sample}]` : sample
}

async function project(
  listing: unknown,
  code: string,
  compiler: 'typescript' | 'typescript-7' = 'typescript',
): Promise<string> {
  const folder = temporaryFolder()
  await generate({ listing, outDir: join(folder, 'gateway') })
  writeFileSync(join(folder, 'app.ts'), code)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const compilerOptions = { strict: true, target: 'es2022', module: 'nodenext', types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(foldersOf[compiler], join(folder, 'node_modules/typescript'))
  return folder
}

const said = ({ changes }: CheckReport): Expected =>
  changes.map(({ kind, schema, field }) => [
    kind,
    field === undefined ? schema : `${schema}.${field}`,
  ])

describe('200 seeded edits', () => {
  test('are classified correctly, without reports about unchanged parts', async () => {
    const outDir = join(temporaryFolder(), 'gateway')
    const kinds = new Map<string, number>()
    for (const { seed, what, listing, expected } of editsOf(200)) {
      await generate({ listing: baseListing(seed), outDir })
      const report = await check(outDir, listing)
      expect(said(report), `${seed}: ${what}`).toEqual(expected)
      const worst = (['breaking', 'additive'] as const).find((kind) =>
        expected.some(([one]) => one === kind),
      )
      const isTouched = expected.length > 0
      expect(report.verdict, `${seed}: ${what}`).toBe(worst ?? (isTouched ? 'stale' : 'same'))
      expect(report.exitCode).toBe(worst === 'breaking' ? 1 : isTouched ? 3 : 0)
      for (const [kind] of expected) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      rmSync(outDir, { recursive: true })
    }
    // The edits must cover every kind of change for the test to be meaningful.
    expect(
      Math.min(...['same', 'additive', 'breaking'].map((kind) => kinds.get(kind) ?? 0)),
    ).toBeGreaterThan(15)
  })

  test.each(editsOf(isDeep ? 200 : 12).filter((_, index) => isDeep || index % 3 === 2))(
    'edit $seed, $what: the errors are the lines that do not compile',
    async ({ seed, listing, expected }) => {
      const base = baseListing(seed)
      const folder = await project(base, userCode(base))
      const report = await check(join(folder, 'gateway'), listing)
      expect(report.uncheckedReason).toBeUndefined()
      const isBreaking = expected.some(([kind]) => kind === 'breaking')
      // A narrower number type is only rejected at run time.
      const isTyped = !report.changes.some(({ message }) => /Float\]? to \[?Int/.test(message))
      expect(report.compileErrors.length > 0).toBe(isBreaking && isTyped)
      for (const { kind, compileErrors } of report.changes) {
        expect(kind === 'breaking' ? [] : compileErrors).toEqual([])
      }
      for (const error of report.compileErrors) {
        expect(error.file).toMatch(/app\.ts$/)
        expect(
          readFileSync(join(folder, 'app.ts'), 'utf8').split('\n')[error.line - 1]?.trim(),
        ).toBe(error.text)
      }
    },
  )
})

describe('a project', () => {
  let outDir: string
  const code = `import { listProducts } from './gateway/product.js'
import type { Gateway } from './gateway/gateway.js'
export const names = (gateway: Gateway) => listProducts(gateway, { select: ['Name', 'Material'] })
const wrongAlready: number = 'text'
`
  const fresh = async (compiler?: 'typescript' | 'typescript-7'): Promise<void> => {
    outDir = join(await project(storefront, code, compiler), 'gateway')
  }
  const without = (field: string): unknown =>
    (storefront as EditedSchema[]).map((schema) =>
      schema.schemaName === 'Product'
        ? { ...schema, fields: schema.fields.filter(({ name }) => name !== field) }
        : schema,
    )

  test.each(['typescript', 'typescript-7'] as const)(
    'gets file, line and reason of new errors, and no older error, with %s',
    async (compiler) => {
      await fresh(compiler)
      const report = await check(outDir, without('Material'))
      expect(report).toMatchObject({ verdict: 'breaking', exitCode: 1 })
      expect(report.changes).toMatchObject([
        {
          kind: 'breaking',
          schema: 'Product',
          field: 'Material',
          compileErrors: [
            { line: 3, column: 85, message: expect.stringContaining('"Material"') as string },
          ],
        },
      ])
      expect(report.compileErrors).toHaveLength(1)
      expect(report.unchanged).toBeGreaterThan(50)
      // A removed field that is not used breaks nothing.
      const other = await check(outDir, without('Rating'))
      expect(other).toMatchObject({
        verdict: 'breaking',
        compileErrors: [],
        uncheckedReason: undefined,
      })
    },
  )

  test('is compared with its lock without network access', async () => {
    await fresh()
    const service = { baseUrl: 'http://127.0.0.1:9', projectKey: 'P1' }
    const steps = runCheck({ ...service, outDir, frozen: true })
    let step = await steps.next()
    while (step.done !== true) step = await steps.next()
    expect(step.value).toMatchObject({ verdict: 'same', exitCode: 0 })
  })

  test('is left alone by a listing that contradicts itself', async () => {
    await fresh()
    const before = readFileSync(join(outDir, 'product.ts'), 'utf8')
    const [first] = storefront as EditedSchema[]
    const fields = first!.fields.map((field) =>
      field.name === 'Price' ? { ...field, type: 'Int' } : field,
    )
    const listing = [...(storefront as EditedSchema[]), { ...first!, fields }]
    const rejection = {
      code: 'LISTING_INVALID',
      message: expect.stringMatching(/entry 7 .* field Price is .*Float.* and .*Int/s) as string,
    }
    await expect(generate({ listing, outDir })).rejects.toMatchObject(rejection)
    await expect(check(outDir, listing)).rejects.toMatchObject(rejection)
    expect(readFileSync(join(outDir, 'product.ts'), 'utf8')).toBe(before)
  })

  test('without a tsconfig is not checked, with the reason', async () => {
    await fresh()
    unlinkSync(join(outDir, '../tsconfig.json'))
    const report = await check(outDir, without('Material'))
    expect(report.changes[0]?.compileErrors).toBeUndefined()
    expect(report.uncheckedReason).toContain('tsconfig.json')
  })

  test('gets the names of stale and missing files; check writes nothing', async () => {
    await fresh()
    expect(await check(outDir, storefront)).toMatchObject({ verdict: 'same', exitCode: 0 })
    writeFileSync(
      join(outDir, 'product.ts'),
      `${readFileSync(join(outDir, 'product.ts'), 'utf8')}export const mine = 1\n`,
    )
    unlinkSync(join(outDir, 'order.ts'))
    writeFileSync(join(outDir, 'own.ts'), 'export {}\n')
    const before = readdirSync(outDir)
    expect(await check(outDir, storefront)).toMatchObject({
      verdict: 'stale',
      exitCode: 3,
      changes: [],
      stale: ['order.ts', 'product.ts'],
    })
    expect(readdirSync(outDir)).toEqual(before)
  })
})
