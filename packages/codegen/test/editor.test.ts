import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { generate } from '../src/index.ts'
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'

// The language service reads the libraries of the compiler, on a machine that may be
// busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const head = `import { createGateway, orThrow } from './gateway/gateway.js'
import { getOrder, getOrderNested, listOrders, listOrdersNested, walkOrders } from './gateway/order.js'
import { insertProduct, listProducts, walkProducts } from './gateway/product.js'
const gateway = createGateway({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
const row = <T>(page: { readonly items: readonly T[] }): T => page.items[0]!;
`
const options: ts.CompilerOptions = {
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  types: [],
}

/** State of the editor: the file being written, with the cursor at `/*here*\/`. */
let service: ts.LanguageService
let app = ''
let text = ''
let version = 0

beforeAll(async () => {
  const folder = temporaryFolder((remove) => void (removeAll = remove))
  mkdirSync(join(folder, 'gateway'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  await generate({ listing: storefront, outDir: join(folder, 'gateway') })
  app = join(folder, 'app.ts').replaceAll('\\', '/')
  service = ts.createLanguageService({
    getScriptFileNames: () => [app],
    getScriptVersion: (file) => (file === app ? String(version) : '0'),
    getScriptSnapshot: (file) => {
      const found = file === app ? text : ts.sys.readFile(file)
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => file === app || ts.sys.fileExists(file),
    readFile: (file) => ts.sys.readFile(file),
    readDirectory: (...given) => ts.sys.readDirectory(...given),
  })
  return () => {
    service.dispose()
    removeAll()
  }
})
let removeAll = (): void => {}

/** Opens the app with this code and returns the position of its marker. */
function open(code: string): number {
  text = head + code
  version++
  return text.indexOf('/*here*/') + '/*here*/'.length
}

function hover(code: string): string {
  const info = service.getQuickInfoAtPosition(app, open(code))
  return ts.displayPartsToString(info?.documentation)
}

function definition(code: string): string | undefined {
  const [found] = service.getDefinitionAtPosition(app, open(code)) ?? []
  if (found === undefined) return undefined
  const { fileName, textSpan } = found
  const before = ts.sys.readFile(fileName)?.slice(0, textSpan.start) ?? ''
  const owner = /(?:interface|const) (\w+)[^]*$/.exec(before.slice(before.lastIndexOf('\nexport')))
  return `${fileName.slice(fileName.lastIndexOf('/') + 1)} ${owner?.[1]}`
}

function completions(code: string): readonly string[] {
  const at = open(code)
  const info = service.getCompletionsAtPosition(app, at, {})
  return info?.entries.map(({ name }) => name).sort() ?? []
}

function mistakes(code: string): readonly string[] {
  open(code)
  return service
    .getSemanticDiagnostics(app)
    .filter(({ start }) => (start ?? 0) >= head.length)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

/** Expressions that read the Status of an Order in different ways. */
const rows = {
  list: `row(await orThrow(listOrders(gateway, { select: ['Status'] })))./*here*/Status`,
  'list of all': `row(await orThrow(listOrders(gateway)))./*here*/Status`,
  'nested list': `row(await orThrow(listOrdersNested(gateway, { select: { Status: true } })))./*here*/Status`,
  get: `(await orThrow(getOrder(gateway, 'x')))?./*here*/Status`,
  walk: `for await (const page of walkOrders(gateway)) row(page)./*here*/Status`,
}

describe('a row’s member', () => {
  test.each(Object.entries(rows))(
    'of a %s is documented, and go-to-definition opens the schema',
    (_, code) => {
      expect(hover(code)).toContain('placed, paid, shipped')
      expect(definition(code)).toBe('order.ts OrderScalars')
    },
  )

  test('of a nested object opens the schema of that object', () => {
    const code = `row(await orThrow(listOrdersNested(gateway, { select: { Lines: { Sku: true } } }))).Lines?.[0]?./*here*/Sku`
    expect(definition(code)).toBe('order-line.ts OrderLine')
  })

  test('is documented in a selection', () => {
    const described = 'placed, paid, shipped'
    expect(hover(`listOrders(gateway, { where: { /*here*/Status: {} } })`)).toContain(described)
    const at = open(`listOrdersNested(gateway, { select: { /*here*/ } })`)
    const details = service.getCompletionEntryDetails(
      app,
      at,
      'Status',
      {},
      undefined,
      {},
      undefined,
    )
    expect(ts.displayPartsToString(details?.documentation)).toContain(described)
  })
})

describe('hovering a row shows its members:', () => {
  const shown = (code: string): string => {
    const info = service.getQuickInfoAtPosition(app, open(code))
    return ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, ' ')
  }
  test.each([
    [
      'of a list',
      `const /*here*/one = row(await orThrow(listOrders(gateway, { select: ['Total'] })))`,
      'const one: { readonly Total: number | null; readonly ItemId: string; }',
    ],
    [
      'by its ItemId',
      `const /*here*/one = await orThrow(getOrder(gateway, 'a', { select: ['Total'] }))`,
      'const one: { readonly Total: number | null; readonly ItemId: string; } | null',
    ],
    [
      'of a list with a dynamic selection',
      `const /*here*/one = row(await orThrow(listOrders(gateway, { select: ['Total'] as ('Total' | 'Status')[] })))`,
      'const one: { readonly ItemId: string; } & { readonly ItemId?: string; readonly Total?: number | null; readonly Status?: string | null; }',
    ],
    [
      'with nested objects',
      `const /*here*/one = row(await orThrow(listOrdersNested(gateway, { select: { Total: true, ShippingAddress: { City: true }, Lines: { Sku: true } } })))`,
      'const one: { readonly ItemId: string; readonly Total: number | null; readonly ShippingAddress: { readonly City: string | null; } | null; readonly Lines: readonly ({ readonly Sku: string | null; } | null)[] | null; }',
    ],
    [
      'with nested objects, by its ItemId',
      `const /*here*/one = await orThrow(getOrderNested(gateway, 'a', { select: { ShippingAddress: { City: true } } }))`,
      'const one: { readonly ItemId: string; readonly ShippingAddress: { readonly City: string | null; } | null; } | null',
    ],
  ])('%s', (_, code, expected) => {
    const membersOf = (text: string): readonly string[] => text.split(/(?<=[;{}]) /).sort()
    expect(membersOf(shown(code))).toEqual(membersOf(expected))
  })
})

describe('an editor offers', () => {
  const systemFields = ['CreatedBy', 'CreatedDate', 'ItemId', 'Language', 'LastUpdatedBy']

  test.each([
    ['options', `listOrders(gateway, { /*here*/ })`, ['order', 'paging', 'select', 'where']],
    [
      'directions',
      `listOrders(gateway, { order: [{ field: 'Total', direction: '/*here*/' }] })`,
      ['ASC', 'DESC'],
    ],
    ['operators', `listOrders(gateway, { where: { IsGift: { /*here*/ } } })`, ['eq', 'neq']],
  ])('%s', (_, code, expected) => {
    expect(completions(code)).toEqual(expected)
  })

  test.each([
    ['select', `listProducts(gateway, { select: ['Name', '/*here*/'] })`],
    ['order', `listProducts(gateway, { order: [{ field: '/*here*/' }] })`],
    ['where', `listProducts(gateway, { where: { /*here*/ } })`],
    ['or', `listProducts(gateway, { where: { or: [{ /*here*/ }] } })`],
    ['a walk’s select', `walkProducts(gateway, { select: ['/*here*/'] })`],
  ])('fields in %s', (_, code) => {
    expect(completions(code)).toEqual(expect.arrayContaining(['Name', 'Price', ...systemFields]))
  })

  test('members of a nested object', () => {
    const code = `listOrdersNested(gateway, { select: { Lines: { /*here*/ } } })`
    expect(completions(code)).toEqual(expect.arrayContaining(['Sku', 'Quantity']))
  })
})

describe('a mistake is one short error', () => {
  test.each([
    [`listProducts(gateway, { select: ['Nme'] })`, `Did you mean '"Name"'?`],
    [`listProducts(gateway, { where: { Nme: { eq: 'x' } } })`, `Did you mean to write 'Name'?`],
    [
      `listProducts(gateway, { where: { Name: { startWith: 'x' } } })`,
      `Did you mean to write 'startsWith'?`,
    ],
    [
      `listProducts(gateway, { where: { Price: { contains: 3 } } })`,
      `'contains' does not exist in type 'NumberFilter'`,
    ],
    [`listProducts(gateway, { order: [{ field: 'Nme' }] })`, `Did you mean '"Name"'?`],
    [`listProducts(gateway, { paging: { pageNo: 1 } })`, `Property 'pageSize' is missing`],
    [`insertProduct(gateway, { Name: 'Cup', Price: 12 })`, `Property 'Sku' is missing`],
    [
      `listOrdersNested(gateway, { select: { Lines: { Sk: true } } })`,
      `'Sk' does not exist in type 'OrderLineShape'`,
    ],
    [
      `row(await orThrow(listOrders(gateway, { select: ['Number'] }))).Total`,
      `Property 'Total' does not exist`,
    ],
  ])('%s', (code, expected) => {
    const found = mistakes(code)
    expect(found).toEqual([expect.stringContaining(expected)])
    expect(found[0]!.length).toBeLessThan(240)
  })
})
