import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { glob } from 'tinyglobby'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { formatConfig, settingFlags } from './describe-settings.ts'
import { settingsList } from './list-settings.ts'
import { resolveConfig } from './resolve-config.ts'
import { toolVariables } from './tool-variables.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-config-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Smallest valid configuration. */
const required = {
  SERVICEKIT_PUBLIC_URL: 'https://platform.example',
  SERVICEKIT_DATABASE_URL: 'postgres://user:canary-password@db.example/shop',
  SERVICEKIT_SECRET: 'canary-secret-of-the-server',
  SERVICEKIT_STORAGE_STRATEGY: 'Azure',
  SERVICEKIT_STORAGE_ACCOUNT_NAME: 'shop',
  SERVICEKIT_STORAGE_ACCOUNT_KEY: 'canary-account-key',
  SERVICEKIT_STORAGE_CONTAINER: 'files',
}

const resolve = (env: Record<string, string>, flags: Record<string, string> = {}) =>
  resolveConfig({ flags: new Map(Object.entries(flags)), env, folder })

/** Returns the problems by the name of their setting. */
async function problems(env: Record<string, string>, flags: Record<string, string> = {}) {
  const error = await resolve(env, flags).then(
    () => undefined,
    (thrown: Error & { code: string; details: Record<string, string> }) => thrown,
  )
  expect(error?.code).toBe('OPTION_INVALID')
  expect(error!.message).not.toContain('canary')
  expect(JSON.stringify(error!.details)).not.toContain('canary')
  return error!.details
}

const writeConfig = (name: string, text: string) => writeFile(join(folder, name), text)

it('has production defaults', async () => {
  const { settings } = await resolve(required)
  expect(settings).toMatchObject({
    host: '0.0.0.0',
    port: 4600,
    rateLimitPerMinute: 1200,
    controlToken: undefined,
    cookieSameSite: 'lax',
    projects: [],
    outgoing: [],
    migrations: 'apply',
    log: { level: 'info', access: true },
    metrics: { port: undefined, host: '127.0.0.1' },
  })
})

it('names everything that is missing at once, with where to set it', async () => {
  expect(await problems({})).toEqual({
    publicUrl:
      'is missing. Set SERVICEKIT_PUBLIC_URL, --public-url, or publicUrl in the config file.',
    databaseUrl:
      'is missing. Set SERVICEKIT_DATABASE_URL, SERVICEKIT_DATABASE_URL_FILE, --database-url-file, or databaseUrl in the config file. For a single instance, --allow embedded-database with --data-dir DIR uses an embedded database.',
    'storage.strategy':
      'is missing. Set SERVICEKIT_STORAGE_STRATEGY, --storage-strategy, or storage.strategy in the config file. For a single machine, --allow local-files with --storage-strategy Local stores files in a folder.',
  })
  const { SERVICEKIT_SECRET: _, SERVICEKIT_STORAGE_CONTAINER: __, ...rest } = required
  expect(Object.keys(await problems(rest))).toEqual(['secret', 'storage.container'])
})

it('names every invalid value with its source, and no secret', async () => {
  await writeConfig(
    'servicekit.server.json',
    JSON.stringify({ rateLimitPerMinute: -1, databaseUrl: 'canary', log: { level: 'debug' } }),
  )
  const { SERVICEKIT_DATABASE_URL: _, ...rest } = required
  const file = join(folder, 'servicekit.server.json')
  const found = await problems(
    { ...rest, SERVICEKIT_PORT: 'abc', SERVICEKIT_CONTROL_TOKEN: 'canary' },
    { 'trust-proxy': 'maybe', origins: 'https://a.example,b.example' },
  )
  expect(found).toEqual({
    databaseUrl: `must be a URL such as postgres://user:password@db.example.com/servicekit, set by ${file}.`,
    controlToken: 'must have at least 16 characters, set by SERVICEKIT_CONTROL_TOKEN.',
    port: 'must be an integer between 0 and 65535 (received "abc"), set by SERVICEKIT_PORT.',
    trustProxy: 'must be true or false (received "maybe"), set by --trust-proxy.',
    origins:
      '[1] must be an origin such as https://app.example.com (received "b.example"), set by --origins.',
    rateLimitPerMinute: `must be an integer of at least 0 (received -1), set by ${file}.`,
    'log.level': `must be one of error, warn, info (received "debug"), set by ${file}.`,
  })
})

it.each(settingsList.filter(({ isSecret }) => isSecret).map((one) => [one.name, one] as const))(
  'accepts no blank text as %s, from any source',
  async (name, one) => {
    const blank = ' '.repeat(17)
    await writeConfig('blank', `${blank}\n`)
    const rest = Object.fromEntries(
      Object.entries(required).filter(([variable]) => variable !== one.variable),
    )
    const sources = [
      await problems({ ...rest, [one.variable]: blank }),
      await problems({ ...rest, [`${one.variable}_FILE`]: 'blank' }),
      await problems(rest, { [one.flag]: 'blank' }),
    ]
    for (const found of sources) expect(found[name]).toMatch(/^must not be blank, set by /)
  },
)

it.each(['secret', 'controlToken'])('accepts no repeated characters as %s', async (name) => {
  const variable = name === 'secret' ? 'SERVICEKIT_SECRET' : 'SERVICEKIT_CONTROL_TOKEN'
  for (const value of ['a'.repeat(32), '1234'.repeat(8), `${' '.repeat(16)}x`]) {
    expect((await problems({ ...required, [variable]: value }))[name]).toMatch(
      /^must have at least/,
    )
  }
})

it.each([
  ['0123456789abcdef', /^must not be a sequence or repeat/],
  ['a secret \u001b[2J of 16 characters', /^must not contain invisible characters/],
  ['a t\u00f6ken of 16 characters', /^must consist of ASCII characters/],
  [required.SERVICEKIT_SECRET, /^is the same as secret/],
])('refuses the control token %j', async (token, message) => {
  const found = await problems({ ...required, SERVICEKIT_CONTROL_TOKEN: token })
  expect(found['controlToken']).toMatch(message)
})

it('refuses an API key that no header can carry', async () => {
  const found = await problems({ ...required, SERVICEKIT_SUGGESTIONS_API_KEY: 'a\nkey' })
  expect(found['suggestions.apiKey']).toMatch(/^must not contain invisible characters/)
})

it('prefers flags to variables, and variables to the config file', async () => {
  await writeConfig(
    'servicekit.server.ts',
    `import { defineServerConfig } from '@servicekit/server'
export default defineServerConfig({ port: 1, host: '::1', log: { access: false } })`,
  )
  const { settings, sources } = await resolve(
    { ...required, SERVICEKIT_PORT: '2', SERVICEKIT_METRICS_PORT: '9100', PORT: '8' },
    { 'metrics-port': '9200' },
  )
  expect(settings).toMatchObject({ port: 2, host: '::1', metrics: { port: 9200 } })
  expect(settings.log).toEqual({ access: false, level: 'info' })
  expect([sources.get('port'), sources.get('metrics.port'), sources.get('host')]).toEqual([
    'SERVICEKIT_PORT',
    '--metrics-port',
    join(folder, 'servicekit.server.ts'),
  ])
})

it('reads the variables of other tools, but prefers its own', async () => {
  const { SERVICEKIT_DATABASE_URL: own, ...rest } = required
  const env = { ...rest, DATABASE_URL: 'postgres://other.example/x', PORT: '8080' }
  expect((await resolve(env)).settings).toMatchObject({
    databaseUrl: 'postgres://other.example/x',
    port: 8080,
  })
  expect((await resolve({ ...env, ...required })).settings.databaseUrl).toBe(own)
})

it('reads secrets from files, without the line break at their end', async () => {
  await writeConfig('secret', 'canary-from-a-file\n')
  const { SERVICEKIT_SECRET: _, ...rest } = required
  const { settings } = await resolve({ ...rest, SERVICEKIT_SECRET_FILE: 'secret' })
  expect(settings.secret).toBe('canary-from-a-file')
  expect((await resolve(rest, { 'secret-file': 'secret' })).settings).toEqual(settings)

  const both = await problems({ ...required, SERVICEKIT_SECRET_FILE: 'secret' })
  expect(both['secret']).toBe(
    'is set by both SERVICEKIT_SECRET and SERVICEKIT_SECRET_FILE. Remove one of them.',
  )
  const absent = await problems({ ...rest, SERVICEKIT_SECRET_FILE: 'other' })
  expect(absent['secret']).toBe(
    `cannot be read from ${join(folder, 'other')}, which SERVICEKIT_SECRET_FILE names (ENOENT).`,
  )
})

it('suggests the closest name for unknown variables and options', async () => {
  await writeConfig('servicekit.server.json', JSON.stringify({ metrics: { prot: 1 }, log: 'info' }))
  const found = await problems({ ...required, SERVICEKIT_CONTRL_TOKEN: 'canary' })
  const file = join(folder, 'servicekit.server.json')
  expect(found).toEqual({
    SERVICEKIT_CONTRL_TOKEN: 'is an unknown variable. Did you mean SERVICEKIT_CONTROL_TOKEN?',
    'metrics.prot': `is an unknown option in ${file}. Did you mean metrics.port?`,
    log: `must be an object in ${file}.`,
  })
})

it('accepts every variable that a command of the toolkit reads', async () => {
  const packages = fileURLToPath(new URL('../../../', import.meta.url))
  const names = new Set<string>()
  for (const path of await glob('{client,catalog,check,codegen,unplugin,cli}/src/**/*.ts', {
    cwd: packages,
    ignore: '**/*.test.ts',
  })) {
    const text = await readFile(join(packages, path), 'utf8')
    for (const [name] of text.matchAll(/SERVICEKIT_[A-Z]+(?:_[A-Z]+)*\b/g)) names.add(name)
  }
  expect(names).toContain('SERVICEKIT_TOKEN')
  const settings = new Set(settingsList.flatMap(({ variable }) => [variable, `${variable}_FILE`]))
  const others = [...names].filter((name) => !settings.has(name)).toSorted()
  // Half of a name, in a template.
  expect(others.filter((name) => name !== 'SERVICEKIT_CLIENT')).toEqual(
    toolVariables.filter((name) => others.includes(name)).toSorted(),
  )
  const env = Object.fromEntries(
    toolVariables
      .filter((name) => !settings.has(name) && name !== 'SERVICEKIT_CONFIG')
      .map((name) => [name, 'x']),
  )
  const { settings: resolved } = await resolve({ ...required, ...env })
  expect(resolved).toEqual((await resolve(required)).settings)
})

it('ignores empty variables, and those that Kubernetes sets for a Service called servicekit', async () => {
  const { settings } = await resolve({
    ...required,
    SERVICEKIT_HOST: '',
    SERVICEKIT_PORT: 'tcp://10.0.0.7:80',
    SERVICEKIT_SERVICE_HOST: '10.0.0.7',
    SERVICEKIT_SERVICE_PORT_HTTP: '80',
    SERVICEKIT_PORT_80_TCP_ADDR: '10.0.0.7',
    SERVICEKIT_METRICS_SERVICE_PORT: '9100',
  })
  expect(settings).toMatchObject({ port: 4600, host: '0.0.0.0' })
})

it('accepts exceptions only by name', async () => {
  const local = {
    SERVICEKIT_PUBLIC_URL: 'http://localhost:4600',
    SERVICEKIT_DATA_DIR: 'data',
    SERVICEKIT_STORAGE_STRATEGY: 'Local',
  }
  expect(Object.keys(await problems(local))).toEqual([
    'publicUrl',
    'databaseUrl',
    'storage.strategy',
  ])
  const allow = { allow: 'embedded-database,local-files,http' }
  expect((await resolve(local, allow)).settings).toMatchObject({ dataDir: 'data' })
  const mistyped = await problems(local, { allow: 'everything' })
  expect(mistyped['allow']).toContain('must be one of embedded-database, local-files, http')
})

it('rejects settings that contradict each other', async () => {
  const found = await problems({
    ...required,
    SERVICEKIT_DATA_DIR: 'data',
    SERVICEKIT_METRICS_PORT: '4600',
    SERVICEKIT_SUGGESTIONS_PROVIDER: 'openai',
  })
  expect(Object.keys(found)).toEqual([
    'dataDir',
    'suggestions.baseUrl',
    'suggestions.model',
    'metrics.port',
  ])
})

it('reports a config file that does not exist, is not valid or exports nothing', async () => {
  const missing = resolve(required, { config: 'absent.json' })
  await expect(missing).rejects.toThrow(/Cannot read the config file[^]*absent\.json[^]*ENOENT/)
  await writeConfig('servicekit.server.json', '{"secret": "canary"')
  const invalid = await resolve(required).catch((error: Error) => error)
  expect(String(invalid)).toMatch(/Cannot read the config file[^]*it is not valid JSON/)
  expect(String(invalid)).not.toContain('canary')
  await rm(join(folder, 'servicekit.server.json'))
  await writeConfig('servicekit.server.mjs', 'export const port = 1')
  await expect(resolve(required)).rejects.toThrow('it exports no options by default')
})

it('prints each setting with its source, and no secret', async () => {
  const text = formatConfig(await resolve({ ...required, SERVICEKIT_PORT: '80' }))
  expect(text).not.toContain('canary')
  expect(text).toMatch(/^databaseUrl +\*\*\* +SERVICEKIT_DATABASE_URL$/m)
  expect(text).toMatch(/^port +80 +SERVICEKIT_PORT$/m)
  expect(text).toMatch(/^controlToken +- +default$/m)
  expect(text).toContain('The configuration is valid.')
})

it('gives every setting a flag, a variable and a description', () => {
  const flags = settingFlags()
  expect(Object.keys(flags)).toHaveLength(settingsList.length)
  expect(flags['storage-secret-access-key-file']).toMatchObject({ valueHint: 'FILE' })
  expect(new Set(settingsList.map(({ variable }) => variable)).size).toBe(settingsList.length)
  for (const { description } of settingsList) expect(description).toMatch(/^[A-Z].*[^.]$/)
})
