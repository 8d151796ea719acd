import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { run } from './run.ts'

const storefront = join(import.meta.dirname, '../../../fixtures/projects/storefront')
let folder: string
let first: StartedPlatform
let key: string
let fileId: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-transfer-'))
  first = await startPlatform({ projectDir: storefront, port: 0 })
  key = first.projectKeys[0]!
  const issued = await fetch(`${first.baseUrl}/iam/v4/oidc/token`, {
    method: 'POST',
    headers: { 'x-service-key': key },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'storefront-job',
      client_secret: 'storefront-job-secret',
      org_id: 'default',
    }),
  })
  const { accessToken } = (await issued.json()) as { accessToken: string }
  const signed = await fetch(`${first.baseUrl}/data/v4/Files/GetPreSignedUrlForUpload`, {
    method: 'POST',
    headers: { 'x-service-key': key, authorization: `Bearer ${accessToken}` },
    body: '{"name":"a.txt","accessModifier":"Public"}',
  })
  const upload = (await signed.json()) as { preSignedUrl: string; fileId: string }
  fileId = upload.fileId
  await fetch(upload.preSignedUrl, { method: 'PUT', body: 'bytes' })
})
afterAll(async () => {
  await first?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns every file of a folder by its path. */
async function contents(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const texts = files.map(async (file) => [file.slice(path.length), await readFile(file, 'utf8')])
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>
}
const exportTo = (name: string, url: string) =>
  run(['export', '--out', join(folder, name), '--base-url', url, '--secrets'])

it('exports a project, imports it elsewhere and exports the same', async () => {
  vi.stubEnv('SERVICEKIT_PROJECT_KEY', '')
  const exported = await exportTo('one', first.baseUrl)
  expect(exported).toMatchObject({ code: 0, stderr: '' })
  expect(exported.stdout).toMatch(/^P\w+: \d+ files and 1 upload in /)
  const files = await contents(join(folder, 'one'))
  expect(files[`/files/${fileId}.txt`]).toBe('bytes')

  await using second = await startPlatform({ port: 0 })
  const imported = await run([
    'import',
    '--from',
    join(folder, 'one'),
    '--base-url',
    second.baseUrl,
    '--json',
  ])
  expect(JSON.parse(imported.stdout)).toMatchObject({ projectKey: key, uploads: 1 })
  await exportTo('two', second.baseUrl)
  expect(await contents(join(folder, 'two'))).toEqual(files)

  // dev starts from the same folder.
  await using third = await startPlatform({ projectDir: join(folder, 'one'), port: 0 })
  await exportTo('two', third.baseUrl)
  expect(await contents(join(folder, 'two'))).toEqual(files)
  expect((await readdir(folder)).sort()).toEqual(['one', 'two'])
}, 120_000)

it('exports the same from two platforms with the same seed and clock, except salts and keys', async () => {
  vi.stubEnv('SERVICEKIT_PROJECT_KEY', '')
  const users = [{ email: 'ada@example.com', password: 'a horse of a battery' }]
  const exported = async (name: string) => {
    await using seeded = await startPlatform({
      projectDir: storefront,
      port: 0,
      seed: 1,
      clock: 'frozen',
    })
    await fetch(`${seeded.baseUrl}/_platform/projects/${key}/identity`, {
      method: 'PUT',
      body: JSON.stringify({ users, clients: [{ clientId: 'job', clientSecret: 'a secret' }] }),
    })
    expect((await exportTo(name, seeded.baseUrl)).code).toBe(0)
    const files = Object.entries(await contents(join(folder, name)))
    return Object.fromEntries(
      files.map(([path, text]) => [
        path,
        text.replaceAll(/\$argon2id\$[^"]+/g, 'HASH').replaceAll(/whsec_[\w+/=]+/g, 'KEY'),
      ]),
    )
  }
  const first = await exported('seeded')
  expect(first['/rows/users.json']).toContain('HASH')
  expect(await exported('seeded')).toEqual(first)
})

it('replaces only an export, and reports missing flags and files', async () => {
  const own = await mkdtemp(join(folder, 'own'))
  await writeFile(join(own, 'letter.txt'), 'x')
  const into = await exportTo(basename(own), first.baseUrl)
  expect(into.code).toBe(2)
  expect(into.stderr).toContain('contains files that are not an export')
  expect(await contents(own)).toEqual({ '/letter.txt': 'x' })

  const unknown = await run([
    'export',
    '--out',
    join(folder, 'x'),
    '--base-url',
    first.baseUrl,
    '--project-key',
    'none',
  ])
  expect(unknown).toMatchObject({ code: 4 })
  expect(unknown.stderr).toContain('There is no project none.')
  expect((await run(['export'])).stderr).toContain('Use --out DIR.')
  expect((await run(['import'])).stderr).toContain('or --from DIR for a project')
  expect((await run(['import', '--from', folder])).stderr).toContain('the file does not exist')
  const nobody = await run(['import', '--from', storefront, '--base-url', 'http://127.0.0.1:9'])
  expect(nobody).toMatchObject({ code: 4 })
  expect(nobody.stderr).toContain('Start it with `servicekit dev`')
})

it('sends no file that lies outside of the imported folder', async () => {
  await exportTo('outside', first.baseUrl)
  const path = join(folder, 'outside')
  const rowsFile = join(path, 'rows/stored_files.json')
  const text = await readFile(rowsFile, 'utf8')
  await writeFile(join(folder, 'secret'), 'a secret of this machine')
  const importIt = () => run(['import', '--from', path, '--base-url', first.baseUrl])

  await writeFile(rowsFile, text.replace(`"${fileId}.txt"`, '"../../secret"'))
  const named = await importIt()
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('must be a file name')])

  await writeFile(rowsFile, text)
  await rm(join(path, 'files', `${fileId}.txt`))
  await symlink(join(folder, 'secret'), join(path, 'files', `${fileId}.txt`))
  const linked = await importIt()
  expect([linked.code, linked.stderr]).toEqual([
    2,
    expect.stringContaining('a symbolic link leads out of the folder'),
  ])
})

it('replaces a symbolic link that leads nowhere by the export', async () => {
  vi.stubEnv('SERVICEKIT_PROJECT_KEY', key)
  await symlink(join(folder, 'nowhere'), join(folder, 'link'))
  expect(await exportTo('link', first.baseUrl)).toMatchObject({ code: 0, stderr: '' })
  expect(Object.keys(await contents(join(folder, 'link')))).toContain('/project.json')
  await expect(readdir(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' })
})
