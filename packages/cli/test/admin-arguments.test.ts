import { isDeep } from '@servicekit/testing/is-deep'
import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { controlToken, openServer } from '@servicekit/testing/open-server'
import { admin } from '../src/commands/admin.ts'
import { run } from './run.ts'

/** Actions of each resource; an empty one is that of the resource itself. */
const actions = [
  ...['list', 'create', 'delete'].flatMap((action) => [
    ['projects', action],
    ['roles', action],
  ]),
  ...['list', 'create', 'rotate', 'revoke'].map((action) => ['keys', action]),
  ['signing-key', 'rotate'],
  ...['list', 'invite', 'deactivate', 'activate', 'sign-out', 'roles'].map((action) => [
    'users',
    action,
  ]),
  ...['list', 'add', 'remove'].map((action) => ['origins', action]),
  ...['show', 'set'].map((action) => ['webhook', action]),
  ['audit'],
]

const hostileValues = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '..',
  '../..',
  '%2e%2e',
  '%00',
  '/',
  '?',
  '#',
  '*',
  '\n',
  '__proto__',
  'constructor',
  'toString',
  '{"a":1}',
  "'; drop table users",
  '\u202e',
  'İ',
  'x'.repeat(300),
  'x'.repeat(5000),
  '9'.repeat(30),
  '1e999',
  'NaN',
  '-1',
  '0',
  'en-US,,',
  'http://',
  'javascript:alert(1)',
  'http://[::1',
  'https://a.example:99999',
  'null',
  'a@b',
  '@',
  'a@example.com\0',
  '+275760-09-13',
  '-271821-04-20',
  '999999999d',
  '0s',
  '0001-01-01',
  'admin',
  'ada@example.com',
  'job',
  'https://app.example',
]
const hostile = fc.oneof(
  fc.constantFrom(...hostileValues),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 10 }),
)
const valueFlags = Object.entries(admin.flags).flatMap(([name, { type }]) =>
  type === 'string' || type === 'list' ? [name] : [],
)
const flags = fc.array(
  fc.tuple(
    fc.constantFrom(
      ...valueFlags.filter((name) => name !== 'base-url' && name !== 'control-token-file'),
    ),
    hostile,
  ),
  { maxLength: 3 },
)

let server: Awaited<ReturnType<typeof openServer>>
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-arguments-'))
  server = await openServer({
    dataDir: join(folder, 'data'),
    storage: { strategy: 'Local', folder: join(folder, 'files') },
    rateLimitPerMinute: 0,
  })
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  vi.stubEnv('SERVICEKIT_URL', server.baseUrl)
  vi.stubEnv('SERVICEKIT_PROJECT_KEY', 'P')
  vi.stubEnv('SERVICEKIT_CONTROL_TOKEN', controlToken)
})

it('explains every argument that a command does not accept', async () => {
  await run(['admin', 'projects', 'create', 'P'])
  const command = fc.tuple(fc.constantFrom(...actions), fc.option(hostile), flags)
  const property = fc.asyncProperty(command, async ([action, name, given]) => {
    const named = name === null ? [] : [name]
    const options = given.map(([flag, value]) => `--${flag}=${value}`)
    const { code, stderr } = await run(['admin', ...action, ...options, '--yes', ...named])
    expect(stderr).not.toMatch(/This is a bug|^ +at |Internal|\b500\b/m)
    expect(code === 0).toBe(stderr === '')
    expect(server.lines.filter((line) => /"status":5/.test(line))).toEqual([])
  })
  await fc.assert(property, {
    numRuns: isDeep ? 4000 : 100,
    examples: [
      [[['users', 'list'], null, [['project-key', '..']]]],
      [[['keys', 'rotate'], '..', []]],
      [[['projects', 'delete'], '.', []]],
      [[['webhook', 'show'], null, []]],
    ],
  })
}, 120_000)
