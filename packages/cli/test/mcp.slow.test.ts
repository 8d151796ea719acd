import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { buildCli } from './build-cli.ts'
import { run } from './run.ts'

const storefront = join(import.meta.dirname, '../../../fixtures/projects/storefront')
const canary = 'canary-control-token'

let built: string
let root: string
let platform: StartedPlatform
let reader: Client
let writer: Client

const environment = (): Record<string, string> => ({
  PATH: process.env['PATH']!,
  SERVICEKIT_URL: platform.baseUrl,
  SERVICEKIT_PROJECT_KEY: platform.projectKeys[0]!,
  SERVICEKIT_CONTROL_TOKEN: canary,
  SERVICEKIT_CLIENT_ID: 'storefront-job',
  SERVICEKIT_CLIENT_SECRET: 'storefront-job-secret',
})

async function open(flags: readonly string[], env = environment()): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const args = [join(built, 'bin.js'), 'mcp', '--root', root, ...flags]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  return client
}

/** Parsed JSON. */
type Json = ReturnType<typeof JSON.parse>

interface Result {
  readonly isError?: boolean
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent?: Record<string, Json>
}

/** Calls a tool and returns its structured content, which the text repeats. */
async function call(
  client: Client,
  name: string,
  args: object = {},
): Promise<Record<string, Json>> {
  const result = (await client.callTool({ name, arguments: { ...args } })) as Result
  expect(result.isError, result.content[0]?.text).toBeUndefined()
  expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent)
  return result.structuredContent!
}

/** Calls a tool that fails, and returns the text for the agent. */
async function fail(client: Client, name: string, args: object = {}): Promise<string> {
  const result = (await client.callTool({ name, arguments: { ...args } })) as Result
  expect(result.isError, JSON.stringify(result)).toBe(true)
  return result.content[0]!.text
}

const control = async (path: string, init: RequestInit = {}): Promise<Json> => {
  const url = `${platform.baseUrl}/_platform/projects/${platform.projectKeys[0]}${path}`
  const headers = { authorization: `Bearer ${canary}`, 'content-type': 'application/json' }
  return (await fetch(url, { ...init, headers })).json()
}

beforeAll(async () => {
  platform = await startPlatform({ projectDir: storefront, port: 0, controlToken: canary })
  root = await mkdtemp(join(tmpdir(), 'servicekit-mcp-'))
  await mkdir(join(root, 'src'))
  await writeFile(join(root, 'servicekit.config.json'), '{ "localization": { "markup": "react" } }')
  await writeFile(
    join(root, 'src/cart.ts'),
    `import { CART_ITEMS, CART_HEADING } from '~uilm/cart'
import { NOT_THERE } from '~uilm/cart'
export const title = (count: number) => CART_HEADING() + CART_ITEMS({ count }) + NOT_THERE()
`,
  )
  const flags = ['--base-url', platform.baseUrl, '--project-key', platform.projectKeys[0]!]
  expect(await run(['pull', '--no-frozen', '--root', root, ...flags])).toMatchObject({ code: 0 })
  built = await buildCli()
  ;[reader, writer] = await Promise.all([open([]), open(['--allow-write'])])
}, 180_000)
afterAll(async () => {
  await Promise.all([reader?.close(), writer?.close(), platform?.close()])
  await Promise.all([built, root].map((one) => one && rm(one, { recursive: true, force: true })))
})

describe('the protocol', () => {
  it('names the server, and explains it', () => {
    expect(reader.getServerVersion()).toMatchObject({
      name: 'servicekit',
      version: manifest.version,
    })
    expect(reader.getInstructions()).toContain('validate_translations')
    expect(reader.getServerCapabilities()).toHaveProperty('tools')
  })

  it('lists only tools that read, with schemas and annotations', async () => {
    const { tools } = await reader.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'find_keys',
      'read_messages',
      'validate_translations',
      'check',
      'describe_schemas',
      'query_gateway',
    ])
    for (const { title, description, annotations, inputSchema, outputSchema } of tools) {
      expect(title).toMatch(/^[A-Z]/)
      expect(description!.length).toBeGreaterThan(40)
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object' })
    }
  })

  it('offers the tool that writes with --allow-write', async () => {
    const { tools } = await writer.listTools()
    const writing = tools.filter(({ annotations }) => !annotations!.readOnlyHint)
    expect(writing.map(({ name }) => name)).toEqual(['draft_translations'])
    expect(await fail(reader, 'draft_translations', { translations: [] })).toContain(
      'draft_translations',
    )
  })

  it('explains wrong arguments and unknown tools', async () => {
    expect(await fail(reader, 'find_keys', { limit: 'many' })).toMatch(/limit/)
    expect(await fail(reader, 'find_keys', { serach: 'cart' })).toMatch(/serach/)
    expect(await fail(reader, 'read_messages', { module: 'crat', keys: ['CART_HEADING'] })).toMatch(
      /Unknown module "crat"\n.*Did you mean "cart"\?/,
    )
    expect(await fail(reader, 'publish')).toContain('publish')
    // The server still runs.
    await reader.ping()
  })

  it('ends when the client closes its input', async () => {
    const client = await open([])
    const pid = (client.transport as StdioClientTransport).pid!
    await client.close()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

describe('messages', () => {
  it('finds keys by text in any language, with their uses', async () => {
    const { total, keys } = await call(reader, 'find_keys', { search: 'Artikel im Warenkorb' })
    expect(total).toBe(1)
    expect(keys[0]).toMatchObject({
      module: 'cart',
      key: 'CART_ITEMS',
      name: 'CART_ITEMS',
      parameters: ['count'],
      plural: true,
      text: '{{count}} items in your cart',
      usageCount: 1,
      usages: [{ file: 'src/cart.ts', line: 3 }],
    })
    const used = await call(reader, 'find_keys', { file: './src/cart.ts' })
    expect(used['keys'].map((one: { key: string }) => one.key).sort()).toEqual([
      'CART_HEADING',
      'CART_ITEMS',
    ])
  })

  it('limits results, and counts all', async () => {
    const { total, keys } = await call(reader, 'find_keys', {
      module: 'cart',
      unused: true,
      limit: 3,
    })
    expect(keys).toHaveLength(3)
    expect(total).toBeGreaterThan(20)
  })

  it('reads messages in all languages', async () => {
    const { defaultLanguage, messages } = await call(reader, 'read_messages', {
      module: 'auth',
      keys: ['SIGNED_IN_AS'],
    })
    expect(defaultLanguage).toBe('en-US')
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({ parameters: ['email'], tags: ['b'] })
    expect(messages[0].translations['en-US']).toEqual({
      SIGNED_IN_AS: 'Signed in as <b>{{email}}</b>',
    })
    expect(Object.keys(messages[0].translations)).toContain('ja-JP')
  })

  it('reports problems of the project as data', async () => {
    const { ok, counts, coverage, findings } = await call(reader, 'check', { rules: ['unknown'] })
    expect(ok).toBe(false)
    expect(counts.unknown).toBe(1)
    expect(coverage['en-US']).toBe(100)
    expect(findings).toEqual([
      expect.objectContaining({ severity: 'error', file: 'src/cart.ts', line: 2 }),
    ])
    expect(await fail(reader, 'check', { rules: ['unknwon'] })).toContain('"unknown"')
  })
})

describe('drafts', () => {
  const good = { module: 'auth', key: 'SIGNED_IN_AS', language: 'de-DE' }
  const value = 'Als <b>{{email}}</b> angemeldet'

  it('rejects other placeholders and tags, and names them', async () => {
    const wrong = [
      { ...good, value: 'Als <b>{{mail}}</b> angemeldet' },
      { ...good, value: 'Als <i>{{email}}</i> angemeldet' },
      { ...good, value: ' ' },
      { ...good, language: 'de', value },
      { ...good, language: 'en-US', value },
      { ...good, key: 'SIGNED_IN_AZ', value },
    ]
    const { valid, rejected } = await call(reader, 'validate_translations', {
      translations: [...wrong, { ...good, value }],
    })
    expect(valid).toBe(1)
    expect(rejected.map((one: { reason: string }) => one.reason)).toEqual([
      expect.stringContaining('email'),
      expect.stringMatching(/<b>|"b"|b/),
      'is empty',
      expect.stringContaining('Unknown language "de"'),
      expect.stringContaining('en-US is the default language'),
      expect.stringContaining('Did you mean "SIGNED_IN_AS"?'),
    ])
    const text = await fail(writer, 'draft_translations', {
      translations: [wrong[0], { ...good, value }],
    })
    expect(text).toMatch(
      /1 translation cannot be used; nothing was saved\n  auth SIGNED_IN_AS \(de-DE\): .*email/,
    )
    expect(await control('/drafts')).toEqual([])
  })

  it('saves drafts for review, and replaces them only when asked to', async () => {
    const input = { translations: [{ ...good, value }] }
    expect(await call(writer, 'draft_translations', input)).toMatchObject({ written: 1, kept: [] })
    expect(await control('/drafts')).toEqual([expect.objectContaining({ ...good, value })])
    const again = { translations: [{ ...good, value: `${value}!` }] }
    expect(await call(writer, 'draft_translations', again)).toMatchObject({
      written: 0,
      kept: [good],
    })
    await call(writer, 'draft_translations', { ...again, replace: true })
    expect(await control('/drafts')).toEqual([expect.objectContaining({ value: `${value}!` })])
    // Nothing is published.
    const { messages } = await call(writer, 'read_messages', {
      module: 'auth',
      keys: ['SIGNED_IN_AS'],
      languages: ['de-DE'],
    })
    expect(messages[0].translations['de-DE'].SIGNED_IN_AS).not.toBe(`${value}!`)
  })

  it('writes to a file with --out', async () => {
    const client = await open(['--allow-write', '--out', 'drafts.json'])
    await call(client, 'draft_translations', { translations: [{ ...good, value }] })
    await client.close()
    expect(JSON.parse(await readFile(join(root, 'drafts.json'), 'utf8'))).toEqual([
      { ...good, value },
    ])
  })
})

describe('the gateway', () => {
  it('describes schemas', async () => {
    const { total, schemas } = await call(reader, 'describe_schemas', { names: ['Product'] })
    expect(total).toBe(1)
    expect(schemas[0]).toMatchObject({ kind: 'entity', query: 'Products' })
    expect(schemas[0].fields).toContainEqual(
      expect.objectContaining({ name: 'Price', type: 'Float' }),
    )
    expect(await fail(reader, 'describe_schemas', { names: ['Prodcut'] })).toContain('"Product"')
  })

  it('reads records, also those that require a client', async () => {
    const query =
      '{ Products(paging: {pageNo: 1, pageSize: 2}) { totalCount items { ItemId Name } } }'
    const { data } = await call(reader, 'query_gateway', { query })
    expect(data.Products.items).toHaveLength(2)
    const orders = await call(reader, 'query_gateway', { query: '{ Orders { totalCount } }' })
    expect(orders['data'].Orders.totalCount).toBeGreaterThan(0)
  })

  it.each([
    ['mutation { deleteProduct(where: {}) { acknowledged } }', /A mutation is not allowed/],
    ['subscription { x }', /A subscription is not allowed/],
    ['query A { Products { totalCount } } mutation B { x }', /A mutation is not allowed/],
    ['# mutation\n{ Products( }', /not valid GraphQL: Syntax Error.*line 2, column 13/],
    ['{ Products { totalCount } } type A { b: Int }', /ObjectTypeDefinition/],
    ['query A { __typename } query B { __typename }', /one query \(it contains 2\)/],
    [
      '{ Products(paging: {pageNo: 1, pageSize: 101}) { items { ItemId } } }',
      /may return 101 rows, and the limit is 100/,
    ],
    [
      'query ($p: PaginationInput = {pageNo: 1, pageSize: 500}) { Products(paging: $p) { items { ItemId } } }',
      /may return 500 rows/,
    ],
    [
      `{ ${Array.from({ length: 11 }, (_, index) => `p${index}: Products { items { ItemId } }`).join(' ')} }`,
      /may return 110 rows/,
    ],
    ['{ Products { items { ItemId Nmae } } }', /The gateway refused the query[^]*Nmae/],
  ])('refuses %s', async (query, reason) => {
    expect(await fail(reader, 'query_gateway', { query })).toMatch(reason)
  })

  it('counts the rows of variables and fragments', async () => {
    const variables = { size: 101 }
    const query = `query ($size: Int) { ...All }
fragment All on Query { Products(paging: {pageNo: 1, pageSize: $size}) { items { ItemId } } }`
    expect(await fail(reader, 'query_gateway', { query, variables })).toMatch(/101 rows/)
    await call(reader, 'query_gateway', { query, variables: { size: 1 } })
  })

  it('shows no secret of its environment, in results and in errors', async () => {
    const env = { ...environment(), SHOP_API_KEY: 'Your cart is empty.', SHOP_TOKEN: 'NOT_A_FIELD' }
    const client = await open([], env)
    const { messages } = await call(client, 'read_messages', {
      module: 'cart',
      keys: ['CART_EMPTY'],
    })
    expect(messages[0].translations['en-US']).toEqual({ CART_EMPTY: '***' })
    const query = '{ Products { items { ItemId NOT_A_FIELD } } }'
    expect(await fail(client, 'query_gateway', { query })).toMatch(/The gateway refused[^]*\*\*\*/)
    await client.close()
  })

  it('names the missing setting, or the client that a schema requires', async () => {
    const { SERVICEKIT_PROJECT_KEY: _key, ...noKey } = environment()
    const { SERVICEKIT_CLIENT_ID: _id, ...noClient } = environment()
    const [first, second] = await Promise.all([open([], noKey), open([], noClient)])
    const query = '{ Orders { totalCount } }'
    expect(await fail(first!, 'query_gateway', { query })).toContain('SERVICEKIT_PROJECT_KEY')
    expect(await fail(second!, 'query_gateway', { query })).toContain('SERVICEKIT_CLIENT_ID')
    await Promise.all([first!.close(), second!.close()])
  })
})
