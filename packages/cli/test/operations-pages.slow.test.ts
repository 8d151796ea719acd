import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { codeBlocks } from '../../../docs/generate/code-blocks.mjs'
import { postgres15Fault, startPostgres15 } from '@servicekit/testing/debian-postgres'
import { earlierSchema } from '@servicekit/testing/earlier-schema'
import { storefront } from '@servicekit/testing/projects'
import { startSwift, swiftFault } from '@servicekit/testing/swift'
import { startSmtp } from '@servicekit/testing/smtp'
import { packPackages, type Registry, startRegistry } from '@servicekit/testing/local-registry'
import { type Balancer, startBalancer } from '@servicekit/testing/balancer'
import { isDeep } from '@servicekit/testing/is-deep'
import { operationsFolder, readPages } from './team/operations-pages.ts'
import {
  type Command,
  startShell,
  type Variables,
  waitForServer,
} from '@servicekit/testing/processes'
import { controlToken, filesOf, identity, issueToken, sendControl } from './team/workload.ts'

/** Programs that need a container runtime or a cluster. */
const notRun = ['docker', 'kubectl']

/** Addresses of the pages, each with its replacement on this machine. */
const replacements = (): readonly (readonly [string, string])[] => [
  ['https://platform.example.com', proxy.baseUrl],
  ['db.example.com/servicekit', `127.0.0.1:${postgres.port}/servicekit`],
  ['https://s3.example.com', s3.storage.endpoint!],
  ['STORAGE_BUCKET=servicekit', `STORAGE_BUCKET=${s3.storage.bucket}`],
  ['STORAGE_REGION=eu-central-1', `STORAGE_REGION=${s3.storage.region}`],
  ['STORAGE_ACCESS_KEY_ID=servicekit', `STORAGE_ACCESS_KEY_ID=${s3.storage.accessKeyId}`],
  ['MAIL_HOST=smtp.example.com', `MAIL_HOST=${smtp.settings.host}`],
  ['MAIL_USER=servicekit', `MAIL_USER=${smtp.settings.user}`],
  ['/run/secrets/', `${folder}/secrets/`],
  ['/backups/', `${folder}/backups/`],
]

/** Addresses and certificates of this machine, which the pages leave at their defaults. */
const machine = (): Variables => ({
  npm_config_registry: registry.url,
  npm_config_audit: 'false',
  PGHOST: '127.0.0.1',
  PGPORT: String(postgres.port),
  NODE_EXTRA_CA_CERTS: smtp.settings.ca,
  SERVICEKIT_HOST: '127.0.0.1',
  SERVICEKIT_PORT: '0',
  SERVICEKIT_MAIL_PORT: String(smtp.settings.port),
  SERVICEKIT_MAIL_CA: smtp.settings.ca,
  SERVICEKIT_SHUTDOWN_DELAY_MS: '0',
})

interface Step {
  readonly command: RegExp
  /** Exit code; 0 by default. */
  readonly code?: number
  /** Run before the command, and after it to check the result that the page describes. */
  readonly before?: () => Promise<unknown>
  readonly after?: (stderr: string, stdout: string) => unknown
}

const steps: readonly Step[] = [
  { command: /^npm install servicekit @servicekit\/server$/, after: installStorage },
  { command: /^npx servicekit serve$/, code: 2, after: expectSettings },
  // Swift has no CORS rules of S3, and the certificate of the proxy is valid for a day.
  { command: /^npx servicekit serve --check-config --connect /, code: 1, after: expectConnections },
  { command: /^npx servicekit import /, after: fillProject },
  { command: /^sh create-secrets\.sh$/, after: expectSecrets },
  { command: /^npx servicekit migrate-database --dry-run$/, code: 1, before: useEarlier },
  { command: /^npx servicekit migrate-database$/, after: leaveEarlier },
  { command: /^npx servicekit admin users invite /, after: expectInvitation },
  { command: /^npx servicekit admin audit .* > audit\.jsonl$/, after: expectAudit },
  { command: /^npx servicekit restore --verify /, before: loseEverything },
  { command: /^npx servicekit restore --from /, after: expectContent },
  { command: /^pg_restore /, before: loseDatabase, after: expectContent },
]

/** Following the pages takes a minute and a half. */
const pages = readPages().map(({ name, blocks }) => [name, blocks] as const)
let missing: string | undefined
let folder: string
let postgres: Awaited<ReturnType<typeof startPostgres15>>
let s3: Awaited<ReturnType<typeof startSwift>>
let smtp: Awaited<ReturnType<typeof startSmtp>>
let proxy: Balancer
let registry: Registry
/** Variables of the shell in which the pages are followed. */
let variables: Record<string, string>
let server: (Command & { readonly baseUrl: string }) | undefined
/** Id of an uploaded file. */
let file: string
/** Everything of the tables above that a page has used. */
const used = new Set<unknown>()

beforeAll(async () => {
  missing = isDeep
    ? ((await postgres15Fault()) ?? (await swiftFault()))
    : 'runs in npm run test:deep'
  if (missing) return
  vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
  folder = await mkdtemp(join(tmpdir(), 'servicekit-operations-'))
  ;[postgres, s3, smtp] = await Promise.all([startPostgres15(), startSwift(), startSmtp(folder)])
  proxy = await startBalancer(smtp.certificate)
  const packed = join(folder, 'packed')
  await mkdir(packed)
  await packPackages(packed)
  registry = await startRegistry(packed)
  variables = { ...machine() }
  await mkdir(join(folder, 'secrets'))
  const secrets = {
    'servicekit-secret': 'a secret of 16 characters',
    'servicekit-control-token': controlToken,
    'servicekit-storage-key': s3.storage.secretAccessKey,
    'smtp-password': smtp.settings.password,
  }
  for (const [name, text] of Object.entries(secrets)) {
    await writeFile(join(folder, 'secrets', name), `${text}\n`)
  }
  const project = join(folder, 'project')
  await cp(storefront, project, { recursive: true })
  const settings = { name: 'P', projectKey: 'P', fallback: 'en-US' }
  await writeFile(join(project, 'project.json'), JSON.stringify(settings))
}, 400_000)
beforeEach(({ skip }) => {
  if (missing) skip(missing)
})
afterAll(async () => {
  await stopServer()
  await Promise.all([registry?.close(), proxy?.close(), smtp?.stop(), s3?.stop(), postgres?.stop()])
  s3?.client.destroy()
  if (folder) await rm(folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

it.each(pages)('follows docs/operations/%s', { timeout: 300_000 }, async (_name, blocks) => {
  for (const lines of blocks) expect(await followLines(lines.map(here))).toBeUndefined()
})

it('reads the config file of docs/operations/serve.md', { timeout: 60_000 }, async () => {
  const page = await readFile(new URL('serve.md', operationsFolder), 'utf8')
  const example = codeBlocks(page).find(({ language }) => language === 'ts')
  const file = join(folder, 'servicekit.server.ts')
  await writeFile(file, example!.text)
  const env = {
    ...machine(),
    SERVICEKIT_DATABASE_URL: urlOf('servicekit'),
    SERVICEKIT_SECRET: 'a secret of 16 characters',
    SERVICEKIT_STORAGE_ACCOUNT_KEY: 'a2V5',
  }
  const { printed, ended } = startShell('npx servicekit serve --check-config', env, folder)
  const code = await ended
  await rm(file)
  expect({ code, ...printed }).toMatchObject({ code: 0, stderr: '' })
  for (const [name, value] of [
    ['publicUrl', '"https://platform.example.com"'],
    ['storage.strategy', '"Azure"'],
    ['rateLimitPerMinute', '2400'],
    ['metrics.port', '9464'],
  ]) {
    expect(printed.stdout).toMatch(new RegExp(`^${name} +${value} +${file}$`, 'm'))
  }
})

it('has no replacement, program or step that no page uses', () => {
  const known = [...replacements().map(([name]) => name), ...notRun, ...steps]
  expect(known.filter((one) => !used.has(one))).toEqual([])
})

/** Returns a line as it is for this machine. */
function here(line: string): string {
  let text = line
  for (const [name, value] of replacements()) {
    if (text.includes(name)) used.add(name)
    text = text.replaceAll(name, value)
  }
  return text
}

/** Follows a block from the first folder. @returns the first command that does not do as expected */
async function followLines(lines: readonly string[]): Promise<object | undefined> {
  let cwd = folder
  for (const line of lines) {
    const [program = ''] = line.split(' ', 1)
    const [, name, value = ''] = /^(?:export )?(\w+)=(.*)$/.exec(line) ?? []
    if (name !== undefined) variables[name] = value
    else if (program === 'cd') cwd = join(cwd, line.slice('cd '.length))
    else if (notRun.includes(program)) used.add(program)
    else if (isServer(line)) await followServer(line)
    else {
      const failed = await followCommand(line, cwd)
      if (failed) return failed
    }
  }
  return undefined
}

async function followCommand(line: string, cwd: string): Promise<object | undefined> {
  const step = steps.find(({ command }) => command.test(line))
  if (step) used.add(step)
  await step?.before?.()
  // `createuser` asks for the password twice.
  const { printed, ended } = startShell(line, variables, cwd, 'password\npassword\n')
  const code = await ended
  if (code !== (step?.code ?? 0)) return { line, code, ...printed }
  await step?.after?.(printed.stderr, printed.stdout)
  return undefined
}

/** Returns whether a line starts a server that is configured, and therefore runs on. */
const isServer = (line: string): boolean =>
  /^npx servicekit serve(?!.*--check-config)/.test(line) &&
  (variables['SERVICEKIT_PUBLIC_URL'] !== undefined || line.includes('--public-url'))

async function followServer(line: string): Promise<void> {
  // A small server, which has no variables, is on a machine of its own.
  const isOwn = line.includes('--public-url')
  await startServer(line, isOwn ? machine() : variables)
  if (isOwn) await startServer()
}

/** Installs what the page names for S3 in a sentence. */
async function installStorage(): Promise<void> {
  const text = await readFile(new URL('serve.md', operationsFolder), 'utf8')
  const names = /^S3 requires the packages `(.+?)` and `(.+?)`/m.exec(text)!.slice(1)
  expect(await followCommand(`npm install ${names.join(' ')}`, folder)).toBeUndefined()
}

function expectSettings(printed: string): void {
  for (const name of ['PUBLIC_URL', 'DATABASE_URL', 'STORAGE_STRATEGY']) {
    expect(printed).toContain(`SERVICEKIT_${name}`)
  }
}

function expectConnections(_stderr: string, stdout: string): void {
  expect(stdout).toMatch(/^ok +database +PostgreSQL 15/m)
  expect(stdout).toMatch(/^ok +clock /m)
  expect(stdout).toMatch(/^ok +storage +the bucket files /m)
  expect(stdout).toMatch(/^failed +certificate .* ends in 0 days/m)
}

async function startServer(line = 'npx servicekit serve', env: Variables = variables) {
  await stopServer()
  const command = startShell(line, env, folder)
  const baseUrl = await waitForServer(command)
  server = { ...command, baseUrl }
  proxy.use([baseUrl])
  expect((await fetch(`${baseUrl}/ready`)).status).toBe(200)
}

async function stopServer(): Promise<void> {
  await server?.kill('SIGTERM')
  server = undefined
}

const control = (method: string, path: string, body?: unknown) =>
  sendControl(server!.baseUrl, method, path, body)

/** Uploads a file to the project that was imported. */
async function fillProject(): Promise<void> {
  expect((await control('PUT', '/projects/P/identity', identity)).status).toBe(204)
  const { baseUrl } = server!
  const files = filesOf(baseUrl, await issueToken(baseUrl))
  const { fileId, uploadUrl, requiredHeaders } = await files.presign('plan.txt')
  const put = await fetch(uploadUrl, { method: 'PUT', headers: requiredHeaders, body: 'the plan' })
  expect(put.ok).toBe(true)
  file = fileId
  await expectContent()
}

/** Expects the translations and the file of the imported project. */
async function expectContent(): Promise<void> {
  if (!server) await startServer()
  const { baseUrl } = server!
  const bytes = await filesOf(baseUrl, await issueToken(baseUrl)).read(file)
  expect(Buffer.from(bytes!).toString()).toBe('the plan')
  const query = 'Language=de-DE&ModuleName=auth&ProjectKey=P'
  const response = await fetch(`${baseUrl}/uilm/v1/Key/GetUilmFile?${query}`, {
    headers: { 'x-service-key': 'P' },
  })
  expect(await response.json()).toHaveProperty('SIGN_IN')
}

async function expectSecrets(): Promise<void> {
  expect(await readdir(join(folder, 'deploy/secrets'))).toContain('control-token')
}

const urlOf = (name: string): string =>
  `postgres://servicekit:password@127.0.0.1:${postgres.port}/${name}`

/** Continues with a database of the version before the last migration. */
async function useEarlier(): Promise<void> {
  await stopServer()
  await postgres.execute('create database earlier owner servicekit')
  await postgres.execute(earlierSchema, { user: 'servicekit', database: 'earlier' })
  variables['SERVICEKIT_DATABASE_URL'] = urlOf('earlier')
}

/** Starts the new version on the migrated database, and returns to the first one. */
async function leaveEarlier(): Promise<void> {
  await startServer('npx servicekit serve --migrations require')
  variables['SERVICEKIT_DATABASE_URL'] = urlOf('servicekit')
  await startServer()
}

async function expectInvitation(): Promise<void> {
  const { recipients, source } = await smtp.take()
  expect(recipients).toEqual(['ada@example.com'])
  expect(source).toContain('From: Shop <no-reply@example.com>')
}

async function expectAudit(): Promise<void> {
  const text = await readFile(join(folder, 'audit.jsonl'), 'utf8')
  const operations = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { operation: string }).operation)
  expect(operations).toContain('iam.createUser')
}

async function loseDatabase(): Promise<void> {
  await stopServer()
  await postgres.execute('drop database servicekit with (force)')
  await postgres.execute('create database servicekit owner servicekit')
}

async function loseEverything(): Promise<void> {
  await loseDatabase()
  await s3.wipe()
}
