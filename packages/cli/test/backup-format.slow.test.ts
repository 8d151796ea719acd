import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { machineToken } from '@servicekit/testing/administrator'
import { missingPackage } from '@servicekit/testing/debian-packages'
import { postgres15Fault, startPostgres15 } from '@servicekit/testing/debian-postgres'
import { earlierSchema } from '@servicekit/testing/earlier-schema'
import { project } from '@servicekit/testing/projects'
import { former } from '../../platform/src/database/migrations/former.ts'
import { migrations } from '../../platform/src/database/migrations/index.ts'
import { createPlatform, type Platform } from '../../platform/src/index.ts'
import { run } from './run.ts'

let missing: string | undefined
let root: string
let postgres: Awaited<ReturnType<typeof startPostgres15>>
beforeAll(async () => {
  missing = await postgres15Fault()
  if (missing) return
  root = await mkdtemp(join(tmpdir(), 'servicekit-backup-format-'))
  postgres = await startPostgres15()
})
afterAll(async () => {
  await postgres?.stop()
  if (root) await rm(root, { recursive: true, force: true })
})
beforeEach(({ skip }) => {
  if (missing) skip(missing)
  // A server refuses variables that it does not know, such as those of the test run.
  const own = Object.keys(process.env).filter((name) => name.startsWith('SERVICEKIT_'))
  for (const name of own) vi.stubEnv(name, undefined)
})

let count = 0
/** Creates a database of a user, and the flags that name it and a folder of files. */
async function createPlace(user = 'postgres', attributes = '') {
  const name = `place_${++count}`
  if (user !== 'postgres') await postgres.execute(`create role ${user} login ${attributes}`)
  await postgres.execute(`create database ${name} owner ${user}`)
  const databaseUrl = `postgres://${user}@127.0.0.1:${postgres.port}/${name}`
  const files = join(root, `${name}-files`)
  const [urlFile, secretFile] = [join(root, `${name}-url`), join(root, 'secret')]
  await writeFile(urlFile, databaseUrl)
  await writeFile(secretFile, 'secret of the test server')
  const flags = [
    '--database-url-file',
    urlFile,
    '--secret-file',
    secretFile,
    '--allow',
    'local-files,http',
    '--public-url',
    'http://platform.local',
    '--storage-strategy',
    'Local',
    '--storage-folder',
    files,
  ]
  const open = () =>
    createPlatform({
      databaseUrl,
      secret: 'secret of the test server',
      storage: [{ name: 'Default', strategy: 'Local', folder: files }],
    })
  return { name, databaseUrl, files, flags, open }
}
type Place = Awaited<ReturnType<typeof createPlace>>

/** Sends requests of the project's machine client. */
async function clientOf(platform: Platform) {
  const token = await machineToken(platform, 'P')
  const send = (path: string, init: RequestInit = {}) => {
    const headers = { 'x-service-key': 'P', authorization: `Bearer ${token}` }
    return platform.fetch(new Request(new URL(path, 'http://platform.local'), { headers, ...init }))
  }
  return {
    presign: async () => {
      const body = JSON.stringify({ name: 'a.bin' })
      const path = '/data/v4/Files/GetPreSignedUrlForUpload'
      const response = await send(path, { method: 'POST', body })
      return (await response.json()) as { fileId: string; preSignedUrl: string }
    },
    put: (url: string, body: string) => platform.fetch(new Request(url, { method: 'PUT', body })),
    read: async (id: string): Promise<string | number> => {
      const found = await send(`/data/v4/Files/GetFile?FileId=${id}`)
      if (!found.ok) return found.status
      const { url } = (await found.json()) as { url: string }
      return (await send(url)).text()
    },
  }
}

/** Creates the project P with files, and stops the platform. */
async function fill(place: Place, texts: readonly string[]) {
  const platform = await place.open()
  // More than a program reads that needs only the beginning of the dump.
  const large = randomBytes(1_000_000).toString('base64')
  await platform.loadProject(project('P', { en: { m: { A: large } } }))
  const client = await clientOf(platform)
  const ids: string[] = []
  const urls: string[] = []
  for (const text of texts) {
    const { fileId, preSignedUrl } = await client.presign()
    expect((await client.put(preSignedUrl, text)).status).toBe(201)
    ids.push(fileId)
    urls.push(preSignedUrl)
  }
  await platform.close()
  return { ids, urls }
}

async function readAll(place: Place, ids: readonly string[]) {
  const platform = await place.open()
  const client = await clientOf(platform)
  const texts: (string | number)[] = []
  for (const id of ids) texts.push(await client.read(id))
  await platform.close()
  return texts
}

const out = (name: string): string => join(root, name)
const save = ({ flags }: Place, name: string, ...more: string[]) =>
  run(['backup', '--out', out(name), ...flags, ...more])
const restore = ({ flags }: Place, name: string, ...more: string[]) =>
  run(['restore', '--from', out(name), ...flags, ...more])
const verify = (name: string, ...more: string[]) =>
  run(['restore', '--verify', '--from', out(name), ...more])

interface EditedManifest {
  formatVersion: number
  database: { migrations: { id: string; hash: string }[]; dump: object }
  files: { index: object }
}

async function editManifest(name: string, edit: (manifest: EditedManifest) => void) {
  const path = join(out(name), 'backup.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as EditedManifest
  edit(manifest)
  await writeFile(path, JSON.stringify(manifest))
}
const storedOf = (bytes: Uint8Array | string) => ({
  bytes: Buffer.from(bytes).length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

it('saves all projects as a user without BYPASSRLS, and restores as another one', async () => {
  const place = await createPlace('owner', 'createrole')
  const { ids } = await fill(place, ['one', 'two'])
  const saved = await save(place, 'owned')
  expect([saved.code, saved.stderr]).toEqual([0, ''])
  expect(saved.stdout).toContain('database and 2 files')
  expect(await verify('owned')).toMatchObject({ code: 0 })
  const target = await createPlace('other', 'createrole')
  const restored = await restore(target, 'owned')
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  expect(await readAll(target, ids)).toEqual(['one', 'two'])
  // The restored database can be saved as well.
  expect(await save(target, 'owned-again')).toMatchObject({ code: 0 })
})

it('says which role a user needs that can neither read all projects nor create it', async () => {
  const place = await createPlace('plain')
  await fill(place, ['one'])
  const saved = await save(place, 'refused')
  expect(saved).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('grant servicekit_app, servicekit_backup to "plain"'),
  })
  // As the message says; the next start or `migrate-database` grants the privileges of the roles.
  await postgres.execute('grant servicekit_app, servicekit_backup to plain')
  await (await place.open()).close()
  expect(await save(place, 'granted')).toMatchObject({ code: 0 })
  expect(await verify('granted')).toMatchObject({ code: 0 })
})

it('names the package of programs that are missing, or older than the database', async () => {
  const place = await createPlace()
  await fill(place, ['one'])
  const absent = await save(place, 'no-program', '--postgres-bin', join(root, 'nowhere'))
  expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('postgresql-client-15') })
  const old = await mkdtemp(join(root, 'old-'))
  await writeFile(join(old, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 14.9"\n')
  await chmod(join(old, 'pg_dump'), 0o755)
  const older = await save(place, 'old-program', '--postgres-bin', old)
  expect(older).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/pg_dump is older than the database[^]*postgresql-client-15/),
  })
})

it('links unchanged files of an earlier backup, and copies replaced and new ones', async () => {
  const place = await createPlace()
  const { ids, urls } = await fill(place, ['same', 'before', 'same'])
  expect(await save(place, 'first', '--json')).toMatchObject({ code: 0 })
  // Two files with the same bytes share an object.
  const objectsOf = async (name: string) =>
    (await readdir(join(out(name), 'objects'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name: object, parentPath }) => join(parentPath, object))
  expect(await objectsOf('first')).toHaveLength(2)
  const platform = await place.open()
  const client = await clientOf(platform)
  // Of the same size.
  expect((await client.put(urls[1]!, 'later!')).status).toBe(201)
  await platform.close()
  const second = await save(place, 'second', '--previous', out('first'), '--json')
  expect(second.code, second.stderr).toBe(0)
  expect(JSON.parse(second.stdout)).toMatchObject({ files: 3, unchanged: 2 })
  const inodes = async (name: string) =>
    Promise.all((await objectsOf(name)).map(async (path) => (await stat(path)).ino))
  const shared = new Set(await inodes('first'))
  expect((await inodes('second')).filter((inode) => shared.has(inode))).toHaveLength(1)
  // Each backup is complete without the other.
  await rm(out('first'), { recursive: true })
  expect(await verify('second')).toMatchObject({ code: 0 })
  const target = await createPlace()
  expect(await restore(target, 'second')).toMatchObject({ code: 0 })
  expect(await readAll(target, ids)).toEqual(['same', 'later!', 'same'])
})

it('refuses other formats and newer versions, and migrates the database of an older one', async () => {
  const place = await createPlace()
  await fill(place, ['one'])
  for (const name of ['v1', 'newer', 'older']) {
    expect(await save(place, name)).toMatchObject({ code: 0 })
  }
  await editManifest('v1', (manifest) => (manifest.formatVersion = 1))
  expect(await verify('v1')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/An older version[^]*Restore it with that version/),
  })
  await editManifest('newer', ({ database }) =>
    database.migrations.push({ id: '9999-later', hash: 'x' }),
  )
  const target = await createPlace()
  expect(await restore(target, 'newer')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('A newer version wrote this backup'),
  })
  // A dump of an earlier version, as its own backup would contain.
  const source = await createPlace()
  await postgres.execute(earlierSchema, { database: source.name })
  const dump = join(out('older'), 'database.dump')
  const args = ['--format=custom', '--schema=servicekit', `--file=${dump}`, source.databaseUrl]
  await promisify(execFile)('pg_dump', args)
  const index = join(out('older'), 'files.jsonl')
  await writeFile(index, '')
  const bytes = await readFile(dump)
  await editManifest('older', (manifest) => {
    manifest.database.migrations = Array.from(former, ([id, hash]) => ({ id, hash }))
    manifest.database.dump = storedOf(bytes)
    manifest.files.index = storedOf('')
  })
  const restored = await restore(target, 'older')
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  const { stdout } = await promisify(execFile)('psql', [
    target.databaseUrl,
    '--tuples-only',
    '--command=select count(*) from servicekit.migrations',
  ])
  expect(Number(stdout)).toBe(migrations.length)
})

it('finds records without files, files without records, and a dump that cannot be read', async () => {
  const place = await createPlace()
  await fill(place, ['one', 'two'])
  for (const name of ['lacking', 'foreign', 'unreadable']) {
    expect(await save(place, name)).toMatchObject({ code: 0 })
  }
  const rewrite = async (name: string, edit: (lines: string[]) => string[]) => {
    const path = join(out(name), 'files.jsonl')
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    const text = `${edit(lines).join('\n')}\n`
    await writeFile(path, text)
    await editManifest(name, ({ files }) => (files.index = storedOf(text)))
  }
  await rewrite('lacking', ([first = '']) => [first])
  expect(await verify('lacking')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('lacks a file that its database names'),
  })
  await rewrite('foreign', (lines) => [
    ...lines,
    JSON.stringify({ ...(JSON.parse(lines[0]!) as object), itemId: 'another' }),
  ])
  expect(await verify('foreign')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has a file without a record'),
  })
  const dump = join(out('unreadable'), 'database.dump')
  const half = (await readFile(dump)).subarray(0, 20_000)
  await writeFile(dump, half)
  await editManifest('unreadable', ({ database }) => (database.dump = storedOf(half)))
  expect(await verify('unreadable')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The database of the backup cannot be read'),
  })
})

it('writes encrypted files that the age program decrypts', async ({ skip }) => {
  const fault = await missingPackage('age', '/usr/bin/age')
  if (fault) skip(fault)
  const place = await createPlace()
  const text = randomBytes(100_000).toString('hex')
  const { ids } = await fill(place, [text])
  const keyFile = join(root, 'age-key')
  await promisify(execFile)('age-keygen', ['-o', keyFile])
  const saved = await save(place, 'aged', '--key-file', keyFile)
  expect(saved.code, saved.stderr).toBe(0)
  const decrypt = async (name: string) => {
    const target = join(root, 'decrypted')
    await promisify(execFile)('age', ['-d', '-i', keyFile, '-o', target, join(out('aged'), name)])
    return readFile(target, 'utf8')
  }
  const { object } = JSON.parse(await decrypt('files.jsonl.age')) as { object: { name: string } }
  expect(await decrypt(`objects/${object.name.slice(0, 2)}/${object.name}.age`)).toBe(text)
  const target = await createPlace()
  expect(await restore(target, 'aged', '--key-file', keyFile)).toMatchObject({ code: 0 })
  expect(await readAll(target, ids)).toEqual([text])
  const other = join(root, 'no-identity')
  await writeFile(other, 'something else than an identity')
  expect(await verify('aged', '--key-file', other)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('contains no age identity'),
  })
})
