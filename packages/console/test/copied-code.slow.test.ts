import { cpSync, mkdtempSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { startPlatform } from '@servicekit/platform/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { machineToken } from '@servicekit/testing/administrator'
import { control, people, signIn } from '@servicekit/testing/people'
import { checkGenerated, runTsc } from '@servicekit/testing/tsc'
import { listCode, queryCode, recordCode, schemaCode } from '../src/app/data/record-code.ts'
import type { RecordField } from '../src/app/data/schema-catalog.ts'
import {
  fileCode,
  filesCode,
  knowledgeCode,
  languagesCode,
  organizationsCode,
  permissionsCode,
  rolesCode,
  toolCode,
  userCode,
  usersCode,
  webhookCode,
} from '../src/app/shell/client-code.ts'
import { curlOf, moduleOf, testOf } from '../src/app/shell/request-code.ts'
import { typedCall } from '../src/app/workbench/logged-request.ts'

const packages = fileURLToPath(new URL('../..', import.meta.url))
const context = { origin: 'http://127.0.0.1:4600', projectKey: "P'1" }
const fields = ['ItemId', 'Name', 'Price'].map((name) => ({ name }) as RecordField)
const product = { name: 'Product', query: 'Products', mutations: {}, fields, referrers: [] }
const list = {
  filters: [
    { field: 'Price', operator: 'gte', value: 10 },
    { field: 'Name', operator: 'filled' },
  ],
  sort: { field: 'CreatedDate', isDescending: true },
  page: 2,
}
const newest = { property: 'LastUpdatedDate', isDescending: true }
const logged = (operation: string) =>
  typedCall({ operation, method: 'GET' } as Parameters<typeof typedCall>[0])!

/** Statements of the views, as they are copied. */
const statements: Readonly<Record<string, string>> = {
  records: listCode(product, list).typed,
  allRecords: listCode(product, { filters: [], sort: undefined, page: 1 }).typed,
  record: recordCode(product, 'a"b\'c').typed,
  schema: schemaCode({
    schemaName: 'Product',
    querySchema: 'Products',
    fields: [
      { name: 'Name', type: 'String' },
      { name: 'Price', type: 'Float' },
    ],
  })!.typed,
  query: queryCode({ query: '{ Products { items { ItemId } } }', variables: { a: 1 } }),
  languages: languagesCode('P').typed,
  users: usersCode({ email: 'ada' }, 'P').typed,
  user: userCode('a').typed,
  organizations: organizationsCode().typed,
  roles: rolesCode().typed,
  permissions: permissionsCode('order').typed,
  allPermissions: permissionsCode('').typed,
  files: filesCode({ name: 'a' }, newest, 'P').typed,
  file: fileCode('a').typed,
  tool: toolCode('mail', 'P').typed,
  knowledge: knowledgeCode({ agentId: 'a', question: 'b', answer: 'c' }, 'P').typed,
  webhook: webhookCode({ itemId: 'a', url: 'https://a.example', isDisabled: false }, 'P').typed,
  loggedRequest: logged('localization.listLanguages'),
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'copied-code-'))
  cpSync(join(packages, 'codegen/__snapshots__/storefront'), join(folder, 'gateway'), {
    recursive: true,
  })
  checkGenerated(folder)
  mkdirSync(join(folder, 'node_modules/@servicekit'), { recursive: true })
  symlinkSync(join(packages, 'client'), join(folder, 'node_modules/@servicekit/client'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('copied statements compile as modules, against the client and generated code', () => {
  for (const [name, statement] of Object.entries(statements)) {
    writeFileSync(join(folder, `${name}.ts`), moduleOf(context, statement))
  }
  const files = Object.keys(statements).map((name) => `${name}.ts`)
  const options = {
    noUnusedLocals: false,
    isolatedDeclarations: false,
    declaration: false,
    // The sources of the client: its declarations are built only for the whole run.
    customConditions: ['source'],
    allowImportingTsExtensions: true,
  }
  expect(runTsc(folder, files, options).errors).toEqual([])
})

it('leaves a module unchanged, and reads nothing from the strings of a statement', () => {
  const code = `import { GREETING } from '~uilm/common'\n\nGREETING({ "client.name": '' })\n`
  expect(moduleOf(context, code)).toBe(code)
  const query = queryCode({ query: '# await listProducts(gateway, ' })
  expect(moduleOf(context, query)).toMatch(/^import \{ createClient \} from '@servicekit\/client'/)
})

it('copied requests run in a shell, and copied tests pass', async () => {
  const run = promisify(execFile)
  const projectDir = join(packages, '../fixtures/projects/storefront')
  await using started = await startPlatform({ projectDir })
  const projectKey = started.projectKeys[0]!
  await control(started.platform, projectKey, 'PUT', '/identity', people)
  const { callback } = await signIn(started.platform, projectKey)
  const cookies = callback.headers.getSetCookie().map((line) => line.split(';')[0])
  const env = {
    ...process.env,
    TOKEN: await machineToken(started.platform, projectKey),
    COOKIE: cookies.join('; '),
  }
  const site = { origin: started.baseUrl, projectKey }
  const records = listCode(product, list)
  const requests = [
    { ...languagesCode(projectKey), expected: '"de-DE"' },
    { ...usersCode({}, projectKey), expected: '@' },
    { ...userCode('ada'), expected: 'ada@example.com' },
    { ...filesCode({}, newest, projectKey), expected: '"totalCount":0' },
    { ...organizationsCode(), expected: '"org-other"' },
    { ...rolesCode(), expected: '"slug":"admin"' },
    { ...permissionsCode(''), expected: '"orders.read"' },
    { ...records, expected: '"list":{"items":[{"ItemId"' },
  ]
  const outputs = await Promise.all(
    requests.map(({ expected: _, ...request }) =>
      run('sh', ['-c', `${curlOf({ ...site, ...request })} --silent`], { env }),
    ),
  )
  for (const [index, { stdout }] of outputs.entries()) {
    expect(stdout).toContain(requests[index]!.expected)
  }

  for (const [index, request] of requests.entries()) {
    writeFileSync(join(folder, `request-${index}.test.ts`), testOf({ ...site, ...request }))
  }
  const vitest = createRequire(import.meta.url).resolve('vitest/package.json')
  symlinkSync(join(vitest, '..'), join(folder, 'node_modules/vitest'))
  const cli = join(vitest, '../vitest.mjs')
  const { stdout } = await run(process.execPath, [cli, 'run', '--root', folder, '--no-color'], {
    env: { ...env, VITEST: undefined, VITEST_MODE: undefined },
  })
  expect(stdout).toMatch(new RegExp(`Tests +${requests.length} passed`))
})
