import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createPlatform,
  type Platform,
  projectFiles,
  readProjectFolder,
  uploadPath,
} from '../src/index.ts'
import { asAdministrator } from '@servicekit/testing/administrator'
import { control, origin, people } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { parseExactJson, printExactJson } from '@servicekit/core/exact-json'
import { send } from './gateway-client.ts'

type Exported = Readonly<Record<string, unknown>>

const source = project(
  'P',
  {
    en: { auth: { OK: 'OK', 'a.b': ' x ', __proto__: 'x' }, 'my module': { A: null } },
    de: { auth: { OK: '' } },
  },
  {
    schemas: [
      {
        schemaName: 'Thing',
        schemaType: 1,
        querySchema: 'Things',
        fields: [{ name: 'Name', type: 'String' }],
      },
    ],
    records: { Thing: [{ ItemId: 'r', Name: 'n', CreatedDate: '2026-01-01T00:00:00Z' }] },
  },
)

let folder: string
let platform: Platform
let exported: Exported
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-export-'))
  platform = await createPlatform({ clock: 'frozen', seed: 1 })
  await platform.loadProject(source)
  const settings = { administratorRoles: ['admin'] }
  await control(platform, 'P', 'PUT', '/identity', { ...people, settings })
  await control(platform, 'P', 'PUT', '/tools/mail', { name: 'Mail' })
  await control(platform, 'P', 'PUT', '/agents/a', { name: 'A', toolIds: ['mail'] })
  await control(platform, 'P', 'PUT', '/drafts', [
    { language: 'de', module: 'auth', key: 'OK', value: 'Gut' },
  ])
  for (const name of ['a.txt', 'b.txt']) {
    const signed = await asAdministrator(platform).fetch(
      new Request(`${origin}/data/v4/Files/GetPreSignedUrlForUpload`, {
        method: 'POST',
        headers: { 'x-service-key': 'P' },
        body: JSON.stringify({ name }),
      }),
    )
    const { preSignedUrl } = (await signed.json()) as { preSignedUrl: string }
    // The second file is never uploaded.
    if (name === 'a.txt') {
      await platform.fetch(new Request(preSignedUrl, { method: 'PUT', body: 'bytes' }))
    }
  }
  exported = await exportOf(platform)
})
afterAll(async () => {
  await platform.close()
  await rm(folder, { recursive: true })
})

const exportOf = async (from: Platform): Promise<Exported> =>
  (await (await control(from, 'P', 'GET', '/export?secrets=true')).json()) as Exported

const systemName = (): string =>
  (exported['rows'] as { stored_files: { system_name: string }[] }).stored_files[0]!.system_name

/** Writes the folder of an export, including the bytes of its files. */
async function write(): Promise<string> {
  const path = await mkdtemp(join(folder, 'project-'))
  for (const file of projectFiles(exported)) {
    await mkdir(dirname(join(path, file.path)), { recursive: true })
    await writeFile(join(path, file.path), file.text)
  }
  const { stored_files: files } = exported['rows'] as { stored_files: { system_name: string }[] }
  expect(files).toHaveLength(1)
  await mkdir(join(path, 'files'))
  await writeFile(join(path, 'files', files[0]!.system_name), 'bytes')
  return path
}

it('restores the exported project from its folder', async () => {
  const value = await readProjectFolder(await write())
  expect(JSON.parse(JSON.stringify(value))).toEqual(exported)
})

it('restores users, settings, drafts and files', async () => {
  const path = await write()
  await using other = await createPlatform({ projects: [path], clock: 'frozen', seed: 2 })
  expect(await exportOf(other)).toEqual(exported)
  const { itemId } = ((await listFiles(other)).data as { itemId: string }[])[0]!
  const bytes = async () => (await control(other, 'P', 'GET', `/files/${itemId}`)).text()
  expect(await bytes()).toBe('bytes')
  await control(other, 'P', 'DELETE', `/files/${itemId}`)
  expect((await control(other, 'P', 'POST', '/reset')).status).toBe(200)
  expect(await exportOf(other)).toEqual(exported)
  expect(await bytes()).toBe('bytes')
})

describe('a project folder whose files are not its own', () => {
  const secret = async () => {
    const path = join(folder, 'secret.json')
    await writeFile(path, '[]')
    return path
  }

  it.each([
    ['files/FILE', 'secret.json'],
    ['files', ''],
    ['identity.json', 'secret.json'],
    ['uilm', ''],
    ['rows', ''],
  ])('is rejected if %s is a symbolic link that leads out of it', async (name, target) => {
    const path = await write()
    await secret()
    const file = join(path, name.replace('FILE', systemName()))
    await rm(file, { recursive: true, force: true })
    await symlink(join(folder, target), file)
    const message = 'a symbolic link leads out of the folder'
    const loading = createPlatform({ projects: [path], clock: 'frozen' })
    await expect(loading).rejects.toMatchObject({
      code: 'PROJECT_INVALID',
      message: expect.stringContaining(message) as string,
    })
  })

  it('is rejected if a file is a folder', async () => {
    const path = await write()
    const file = join(path, 'files', systemName())
    await rm(file)
    await mkdir(file)
    const loading = createPlatform({ projects: [path], clock: 'frozen' })
    await expect(loading).rejects.toThrow('must be a file')
  })

  it('is loaded if a symbolic link stays in it', async () => {
    const path = await write()
    const file = join(path, 'files', systemName())
    await rename(file, join(path, 'files/moved'))
    await symlink('moved', file)
    await using other = await createPlatform({ projects: [path], clock: 'frozen' })
    expect(await exportOf(other)).toEqual(exported)
  })

  it.each(['../secret.json', '/etc/hostname', '.', '..', 'a\\b', '', null, 7])(
    'gives no path for the system name %j',
    async (name) => {
      await expect(uploadPath(join(await write(), 'files'), name)).rejects.toThrow(
        'must be a file name',
      )
    },
  )
})

it('keeps later changes when existing data is opened again', async () => {
  const path = await write()
  const options = { projects: [path], dataDir: join(folder, 'data'), onlyChanged: true } as const
  const first = await createPlatform(options)
  await control(first, 'P', 'PUT', '/tools/new', { name: 'New' })
  await first.close()
  await using second = await createPlatform(options)
  const tools = (await (await control(second, 'P', 'GET', '/tools')).json()) as object[]
  expect(tools).toHaveLength(2)
})

it('replaces the project', async () => {
  await using other = await createPlatform({ clock: 'frozen' })
  await other.loadProject(project('P', { en: { auth: { OLD: 'old' } } }))
  await control(other, 'P', 'PUT', '/tools/old', { name: 'Old' })
  await control(other, 'P', 'PUT', '/drafts', [
    { language: 'en', module: 'auth', key: 'OLD', value: 'x' },
  ])
  await other.fetch(
    new Request(`${origin}/_platform/projects`, {
      method: 'POST',
      body: JSON.stringify(exported),
    }),
  )
  expect(await exportOf(other)).toEqual(exported)
  expect((await control(other, 'P', 'POST', '/reset')).status).toBe(200)
  const rows = exported['rows'] as object
  expect(await exportOf(other)).toEqual({ ...exported, rows: { ...rows, stored_files: [] } })
})

it.each([
  ['rows.stored_files', { rows: { stored_files: [{ system_name: '../x' }] } }],
  ['rows', { rows: { sessions: [] } }],
  ['drafts', { drafts: {} }],
])('rejects invalid %s', async (_, changed) => {
  const sent = await platform.fetch(
    new Request(`${origin}/_platform/projects`, {
      method: 'POST',
      body: JSON.stringify({ ...exported, projectKey: 'X', ...changed }),
    }),
  )
  expect(sent.status).toBe(400)
})

it.each(['..', 'a/b', 'con:', 'x'.repeat(300), ''])('rejects the file name %j', (name) => {
  expect(() => projectFiles({ projectKey: 'P', records: { [name]: [] } })).toThrow(
    'is not a valid file name',
  )
})

it.each([true, false])('restores modules of any name, with modules.json: %s', async (hasList) => {
  const names = ['shop/cart', 'con', 'a:b', '.hidden', '..', '%2F', 'a b', 'Ähre', 'auth']
  // A shortened name is only known from the list.
  if (hasList) names.push('x'.repeat(300), '名'.repeat(100))
  const en = Object.fromEntries(names.map((name) => [name, { OK: name }]))
  const modules = names.map((moduleName, index) => ({ itemId: `${index}`, moduleName }))
  const target = await mkdtemp(join(folder, 'names-'))
  for (const { path, text } of projectFiles({
    projectKey: 'P',
    name: 'P',
    ...(hasList ? { modules } : {}),
    texts: { en },
  })) {
    await mkdir(join(target, dirname(path)), { recursive: true })
    await writeFile(join(target, path), text)
  }
  expect((await readdir(join(target, 'uilm/en'))).sort()).toContain('shop%2Fcart.json')
  expect(await readProjectFolder(target)).toMatchObject({ texts: { en } })
})

const listFiles = async (from: Platform) => {
  const response = await asAdministrator(from).fetch(
    new Request(`${origin}/data/v4/Files/GetFilesInfo`, {
      method: 'POST',
      headers: { 'x-service-key': 'P' },
      body: '{}',
    }),
  )
  return (await response.json()) as { data: unknown }
}

it('exports, writes and imports integers of 64 bits exactly', async () => {
  const values = [2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n]
  const fields = [
    { name: 'Big', type: 'Long' },
    { name: 'Bigs', type: 'Long', isArray: true },
  ]
  const schemas = [{ schemaName: 'Big', querySchema: 'Bigs', fields }]
  const records = { Big: values.map((Big, index) => ({ ItemId: `${index}`, Big, Bigs: [Big, 1] })) }
  await using first = await createPlatform({})
  await first.loadProject(project('P', {}, { schemas, records }))
  const rowsOf = async (from: Platform): Promise<unknown> =>
    (await send(from, 'P', '{ Bigs { items { ItemId Big Bigs } } }')).data.Bigs.items
  expect(await rowsOf(first)).toEqual(records.Big)

  const response = await control(first, 'P', 'GET', '/export?secrets=true')
  const exported = parseExactJson(await response.text()) as Exported
  const path = await mkdtemp(join(folder, 'longs-'))
  for (const file of projectFiles(exported)) {
    await mkdir(dirname(join(path, file.path)), { recursive: true })
    await writeFile(join(path, file.path), file.text)
  }
  await using second = await createPlatform({ projects: [path] })
  expect(await rowsOf(second)).toEqual(records.Big)

  await using third = await createPlatform({})
  const imported = await third.fetch(
    new Request(`${origin}/_platform/projects`, {
      method: 'POST',
      body: printExactJson(await readProjectFolder(path)),
    }),
  )
  expect(imported.status).toBe(200)
  expect(await rowsOf(third)).toEqual(records.Big)
})
