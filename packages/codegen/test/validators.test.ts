import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { createPlatform, type Platform } from '@servicekit/platform'
import { FieldApi, FormApi } from '@tanstack/react-form'
import { createFormControl } from 'react-hook-form'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { asAdministrator } from '@servicekit/testing/administrator'
import type { Gateway, GatewayFetched } from '../runtime/gateway.ts'
import type {
  GatewayDrift,
  reportDrift as ReportDrift,
  StandardIssue,
  StandardSchema,
  withMessages as WithMessages,
} from '../runtime/gateway-validate.ts'
import { buildModel, emitAll, generate, normaliseListing } from '../src/index.ts'
import { loadModules } from './load-modules.ts'
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'
import { bundler, checkGenerated, runTsc } from '@servicekit/testing/tsc'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

interface ProductInput {
  Name: string
  Price: number
  Sku: string
  Stock?: number
}
let schemas: Readonly<Record<string, StandardSchema<ProductInput>>>
let withMessages: typeof WithMessages
let reportDrift: typeof ReportDrift
let responseSchemas: Readonly<Record<string, StandardSchema<unknown>>>
let list: (gateway: Gateway, options?: object) => Promise<unknown>

beforeAll(async () => {
  const files = emitAll(buildModel(normaliseListing(storefront)), { validators: true })
  const modules = await loadModules(files, afterAll)
  const index = modules.get('index.ts') as never as Record<string, never>
  schemas = index
  ;({ withMessages, reportDrift } = index as never)
  list = index['listProducts']!
  ;({ responseSchemas } = modules.get('gateway-responses.ts') as never)
})

const issuesOf = (schema: string, value: unknown): readonly StandardIssue[] =>
  schemas[schema]!['~standard'].validate(value).issues ?? []

describe('an issue', () => {
  test.each([
    ['ProductInsertSchema', { Name: 'Cup', Price: 1 }, 'Sku', 'REQUIRED', {}],
    ['ProductUpdateSchema', { Colour: 'red' }, 'Colour', 'UNKNOWN_FIELD', {}],
    ['ProductUpdateSchema', { Name: 5 }, 'Name', 'EXPECTED_STRING', {}],
    ['ProductUpdateSchema', { Price: '5' }, 'Price', 'EXPECTED_NUMBER', {}],
    [
      'ProductUpdateSchema',
      { Stock: 2 ** 31 },
      'Stock',
      'EXPECTED_INTEGER',
      { min: -(2 ** 31), max: 2 ** 31 - 1 },
    ],
    [
      'ProductUpdateSchema',
      { ViewCount: 1.5 },
      'ViewCount',
      'EXPECTED_INTEGER',
      { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
    ],
    ['ProductUpdateSchema', { IsActive: 'yes' }, 'IsActive', 'EXPECTED_BOOLEAN', {}],
    ['ProductUpdateSchema', { ReleasedAt: 'soon' }, 'ReleasedAt', 'EXPECTED_DATE_TIME', {}],
    ['ProductUpdateSchema', { Colours: 'red' }, 'Colours', 'EXPECTED_ARRAY', {}],
    ['AddressInsertSchema', [], '', 'EXPECTED_OBJECT', {}],
  ] as const)('of %s has a code and parameters: %j', (schema, value, field, code, params) => {
    const [issue, ...others] = issuesOf(schema, value).filter(
      (one) => one.params['field'] === field,
    )
    expect(others).toEqual([])
    expect(issue).toMatchObject({ code, params: { field, ...params } })
  })

  test('of a list names the field that contains it', () => {
    const [issue] = issuesOf('ProductUpdateSchema', { Dimensions: [1, 'two'] })
    expect(issue).toMatchObject({
      code: 'EXPECTED_NUMBER',
      path: ['Dimensions', 1],
      params: { field: 'Dimensions' },
    })
  })
})

test('an update requires only the fields with requiredOn, and accepts null', () => {
  expect(issuesOf('ProductUpdateSchema', {})).toEqual([])
  expect(issuesOf('ProductUpdateSchema', { Price: null, ReleasedAt: new Date() })).toEqual([])
  const missing = issuesOf('OrderUpdateSchema', { Status: 'paid' })
  expect(missing.map(({ code, path: at }) => [code, ...at])).toEqual([['REQUIRED', 'ChangeReason']])
  const [unknown] = issuesOf('ProductUpdateSchema', { ItemId: 'i' })
  expect(unknown).toMatchObject({ code: 'UNKNOWN_FIELD', path: ['ItemId'] })
})

test('messages come from the translations, with a fallback', () => {
  const messages: Readonly<Record<string, (params: StandardIssue['params']) => string>> = {
    REQUIRED: ({ field }) => `${field} fehlt`,
  }
  const schema = withMessages(schemas['ProductInsertSchema']!, ({ code, params }) =>
    messages[code]?.(params),
  )
  const { issues } = schema['~standard'].validate({ Name: 'Cup', Price: 'x' })
  expect(issues?.map(({ message }) => message)).toEqual(['must be a number', 'Sku fehlt'])
  const value = { Name: 'Cup', Price: 1, Sku: 'C' }
  expect(schema['~standard'].validate(value)).toEqual({ value })
})

describe('form libraries accept a validator as it is:', () => {
  test('TanStack Form shows the issue at its field', async () => {
    const form = new FormApi({
      defaultValues: { Name: 'Cup', Price: 1, Sku: 'C-1' } as ProductInput,
      validators: { onChange: schemas['ProductInsertSchema']! },
    })
    form.mount()
    const price = new FieldApi({ form, name: 'Price' })
    price.mount()
    price.setValue('12' as never)
    expect(price.state.meta.errors).toMatchObject([
      { message: 'must be a number', code: 'EXPECTED_NUMBER' },
    ])
    price.setValue(12)
    expect(price.state.meta.errors).toEqual([])
    expect(form.state.isValid).toBe(true)
  })

  test('React Hook Form shows the translated message at its field', async () => {
    const schema = withMessages(schemas['ProductInsertSchema']!, ({ code }) =>
      code === 'EXPECTED_NUMBER' ? 'Bitte eine Zahl' : undefined,
    )
    const { handleSubmit, setValue, control } = createFormControl({
      defaultValues: { Name: 'Cup', Price: 'twelve' as never, Sku: 'C-1' },
      resolver: standardSchemaResolver(schema),
    })
    const saved = vi.fn()
    await handleSubmit(saved)()
    expect(control._formState.errors).toMatchObject({ Price: { message: 'Bitte eine Zahl' } })
    expect(saved).not.toHaveBeenCalled()
    setValue('Price', 12)
    await handleSubmit(saved)()
    expect(saved.mock.calls[0]?.[0]).toEqual({ Name: 'Cup', Price: 12, Sku: 'C-1' })
  })

  test('and type their values', async () => {
    const folder = temporaryFolder()
    await generate({ listing: storefront, outDir: join(folder, 'gateway'), validators: true })
    symlinkSync(path('../../../node_modules'), join(folder, 'node_modules'))
    writeFileSync(
      join(folder, 'use.ts'),
      `import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm as useTanStackForm } from '@tanstack/react-form'
import { useForm } from 'react-hook-form'
import { createGateway } from './gateway/gateway.js'
import { responseSchemas } from './gateway/gateway-responses.js'
import { reportDrift, type StandardIssueCode, withMessages } from './gateway/gateway-validate.js'
import { type Product, type ProductInsertInput, ProductInsertSchema, ProductSchema, type ProductUpdateInput, ProductUpdateSchema, toProductUpdate } from './gateway/product.js'
const messages: Partial<Record<StandardIssueCode, () => string>> = { REQUIRED: () => 'Pflichtfeld' }
export function useForms(row: Product): void {
  const { register, handleSubmit } = useForm({ resolver: standardSchemaResolver(ProductInsertSchema) })
  register('Price', { valueAsNumber: true })
  // @ts-expect-error a field that there is not
  register('Prise')
  void handleSubmit(({ Sku }) => Sku.length)
  const form = useTanStackForm({
    defaultValues: toProductUpdate(row) as ProductUpdateInput,
    validators: { onChange: withMessages(ProductUpdateSchema, ({ code }) => messages[code]?.()) },
    onSubmit: ({ value }) => void value.Price?.toFixed(2),
  })
  // @ts-expect-error a field that there is not
  form.setFieldValue('Prise', 5)
  useTanStackForm({
    defaultValues: { Name: '', Price: 0, Sku: '' } as ProductInsertInput,
    validators: { onSubmit: ProductInsertSchema },
  })
  const result = ProductSchema['~standard'].validate(row)
  if (!result.issues) void result.value.Price?.toFixed(2)
  reportDrift(createGateway({ baseUrl: '', projectKey: '' }), responseSchemas, ({ path, received }) => void [path, received])
}
`,
    )
    checkGenerated(folder)
    const options = { ...bundler, lib: ['es2023', 'dom', 'esnext.disposable'] }
    expect(runTsc(folder, ['use.ts', 'gateway/*.ts'], options).errors).toEqual([])
  })
})

describe('in development, a gateway', () => {
  let platform: Platform
  beforeAll(async () => {
    platform = asAdministrator(
      await createPlatform({ projects: [path('../../../fixtures/projects/storefront')] }),
    )
  })
  afterAll(() => platform.close())

  /** A gateway whose responses are changed before they arrive. */
  const drifting = (change: (row: Record<string, unknown>) => void): Gateway => ({
    baseUrl: 'http://platform.test',
    projectKey: 'P5c1e7a90d2f84b6e8a3f9d41',
    fetch: async (url, init): Promise<GatewayFetched> => {
      const response = await platform.fetch(new Request(url, init))
      const body = (await response.json()) as { data: object }
      for (const { items } of Object.values(body.data) as { items: Record<string, unknown>[] }[])
        for (const row of items) change(row)
      return { status: response.status, text: async () => JSON.stringify(body) }
    },
  })

  test('reports each difference of the rows once, with its path and what was expected', async () => {
    const drifts: GatewayDrift[] = []
    const gateway = reportDrift(
      drifting((row) => Object.assign(row, { Price: '12', Colours: 'red', Sku: null, Added: 1 })),
      responseSchemas,
      (drift) => drifts.push(drift),
    )
    expect(await list(gateway)).toMatchObject({ ok: true })
    await list(gateway)
    expect(drifts).toEqual([
      {
        operation: 'Products',
        path: ['items', 0, 'Price'],
        code: 'EXPECTED_NUMBER',
        message: 'must be a number',
        received: 'string',
      },
      {
        operation: 'Products',
        path: ['items', 0, 'Colours'],
        code: 'EXPECTED_ARRAY',
        message: 'must be an array',
        received: 'string',
      },
    ])
  })

  test('warns in the console by default, and returns the data unchanged', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const gateway = reportDrift(
      drifting((row) => (row['Stock'] = 1.5)),
      responseSchemas,
    )
    expect(await list(gateway, { select: ['Stock'] })).toMatchObject({
      ok: true,
      data: { items: expect.arrayContaining([expect.objectContaining({ Stock: 1.5 })]) as unknown },
    })
    expect(warn.mock.calls).toEqual([
      [
        'Drift in Products: items.0.Stock must be a 32-bit integer (received number). Run servicekit codegen.',
      ],
    ])
  })

  test('reports nothing for the responses of the platform, nested and in walks', async () => {
    const drifts: GatewayDrift[] = []
    const gateway = reportDrift(
      drifting(() => undefined),
      responseSchemas,
      (one) => drifts.push(one),
    )
    const files = emitAll(buildModel(normaliseListing(storefront)), { validators: true })
    const index = (await loadModules(files)).get('index.ts') as never as Record<string, never>
    const nested = index['listOrdersNested'] as never as typeof list
    const select = { Lines: { Sku: true, UnitPrice: true }, ShippingAddress: { City: true } }
    expect(await nested(gateway, { select })).toMatchObject({ ok: true })
    const walk = index['walkOrders'] as never as (gateway: Gateway) => AsyncIterable<unknown>
    for await (const page of walk(gateway)) expect(page).toHaveProperty('items')
    expect(drifts).toEqual([])
    const wrong = drifting((row) => (row['Total'] = 'much'))
    const report = (one: GatewayDrift): unknown => drifts.push(one)
    for await (const page of walk(reportDrift(wrong, responseSchemas, report)))
      expect(page).toHaveProperty('items')
    expect(drifts).toMatchObject([{ operation: 'Orders', path: ['items', 0, 'Total'] }])
  })
})
