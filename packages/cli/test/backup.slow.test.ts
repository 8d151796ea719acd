import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { dumpableDatabases } from '@servicekit/testing/dumpable'
import { onEachEngine } from '@servicekit/testing/engines'
import { isDeep } from '@servicekit/testing/is-deep'
import { project } from '@servicekit/testing/projects'
import { openServer } from '@servicekit/testing/open-server'
import { run } from './run.ts'

onEachEngine((engine) => {
  // Each command starts PGlite anew, which takes seconds: the deep run repeats all of it.
  const isSlow = engine.name === 'PGlite' && !isDeep
  const databases = dumpableDatabases(engine)
  let missing: string | undefined
  let folder: string
  /** Location of a database and a storage, as settings and as flags. */
  const placeOf = async (name: string) => {
    const { databaseUrl } = await databases.location()
    const files = join(folder, `${name}-files`)
    const dataDir = join(folder, name)
    const urlFile = join(folder, `${name}-url`)
    if (databaseUrl !== undefined) await writeFile(urlFile, databaseUrl)
    return {
      settings: {
        ...(databaseUrl === undefined ? { dataDir } : { databaseUrl }),
        storage: { strategy: 'Local', folder: files, name: 'Default' },
      } as const,
      flags: [
        ...(databaseUrl === undefined ? ['--data-dir', dataDir] : ['--database-url-file', urlFile]),
        '--allow',
        'embedded-database,local-files,http',
        '--storage-strategy',
        'Local',
        '--storage-folder',
        files,
        '--public-url',
        'http://platform.local',
        ...(databaseUrl === undefined ? [] : ['--secret-file', join(folder, 'secret')]),
      ],
    }
  }
  type Place = Awaited<ReturnType<typeof placeOf>>
  let source: Place
  let passphrase: string[]

  const open = ({ settings }: Place) =>
    openServer({
      ...settings,
      secret: engine.name === 'PGlite' ? undefined : 'canary-secret-of-the-server',
    } as never)
  type Server = Awaited<ReturnType<typeof open>>

  /** Sends every read that shows the data of the project. */
  async function readAll(server: Server): Promise<unknown> {
    const paths = [
      '/projects/P/export?secrets=true',
      '/projects/P/clients',
      '/projects/P/inbox',
      '/projects/P/webhook',
      '/projects/P/deliveries',
      '/projects',
      '/queue',
    ]
    const responses = await Promise.all(
      paths.map(async (path) => (await server.control('GET', path)).text()),
    )
    const token = await server.send('/iam/v4/oidc/token', {
      method: 'POST',
      headers: { 'x-service-key': 'P' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'job',
        client_secret: 'canary-client-secret',
        org_id: 'default',
      }),
    })
    const { files } = await uploads(server)
    return [responses, token.status, files]
  }

  async function uploads(server: Server) {
    const exported = await (await server.control('GET', '/projects/P/export')).json()
    const rows = (exported as { rows: { stored_files: { item_id: string }[] } }).rows.stored_files
    const files = await Promise.all(
      rows.map(async ({ item_id: id }) => {
        const response = await server.control('GET', `/projects/P/files/${id}`)
        return Buffer.from(await response.arrayBuffer()).toString('base64')
      }),
    )
    return { ids: rows.map(({ item_id: id }) => id), files }
  }

  async function upload(server: Server, name: string, body: Buffer): Promise<void> {
    const issued = await server.send('/iam/v4/oidc/token', {
      method: 'POST',
      headers: { 'x-service-key': 'P' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'job',
        client_secret: 'canary-client-secret',
        org_id: 'default',
      }),
    })
    const { accessToken } = (await issued.json()) as { accessToken: string }
    const signed = await server.send('/data/v4/Files/GetPreSignedUrlForUpload', {
      method: 'POST',
      headers: { 'x-service-key': 'P', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ name, accessModifier: 'Public' }),
    })
    const { preSignedUrl } = (await signed.json()) as { preSignedUrl: string }
    const { pathname, search } = new URL(preSignedUrl)
    const put = await server.send(`${pathname}${search}`, { method: 'PUT', body })
    expect(put.status).toBe(201)
  }

  let before: unknown
  beforeAll(async () => {
    missing = await databases.whyMissing()
    if (missing) return
    folder = await mkdtemp(join(tmpdir(), 'servicekit-backup-'))
    await writeFile(join(folder, 'secret'), 'canary-secret-of-the-server')
    await writeFile(join(folder, 'passphrase'), 'correct horse battery staple\n')
    passphrase = ['--passphrase-file', join(folder, 'passphrase')]
    source = await placeOf('source')
    const server = await open(source)
    await server.platform.loadProject(
      project(
        'P',
        { en: { m: { A: 'canary-text', 'B\u2028': 'ä\tb\n"c' } }, de: { m: { A: 'a' } } },
        {
          identity: {
            roles: [{ slug: 'admin' }],
            clients: [{ clientId: 'job', clientSecret: 'canary-client-secret', roles: ['admin'] }],
            users: [{ email: 'ada@example.com', password: 'canary-password', roles: ['admin'] }],
          },
        },
      ),
    )
    await server.control('PUT', '/projects/P/webhook', {
      url: 'https://receiver.example/hook',
      contentType: 'application/json',
      isDisabled: true,
      serviceWebhookSecret: { secret: 'canary-webhook', headerKey: 'x-secret' },
      projectKey: 'P',
    })
    // One that needs several chunks, one that fills chunks exactly, and an empty one.
    await upload(server, 'large.bin', randomBytes(200_000))
    await upload(server, 'exact.bin', randomBytes(2 * 64 * 1024))
    await upload(server, 'empty.bin', Buffer.alloc(0))
    // Creates the signing keys, which a read would create otherwise.
    await readAll(server)
    before = await readAll(server)
    await server.stop()
  })
  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true, force: true })
  })
  beforeEach(({ skip }) => {
    if (missing) skip(missing)
    // A server refuses variables that it does not know, such as those of the test run.
    const own = Object.keys(process.env).filter((name) => name.startsWith('SERVICEKIT_'))
    for (const name of own) vi.stubEnv(name, undefined)
  })

  const dump = engine.name === 'PGlite' ? 'database.tar.gz' : 'database.dump'
  const out = (name: string): string => join(folder, name)
  const save = (name: string, ...args: string[]) =>
    run(['backup', '--out', out(name), ...source.flags, ...args])
  const contentOf = async (name: string): Promise<string> => {
    const entries = await readdir(out(name), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    const all = files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1'))
    return (await Promise.all(all)).join('\n')
  }

  it('restores into an empty instance, which then responds the same', async () => {
    const saved = await save('plain')
    expect([saved.code, saved.stderr]).toEqual([0, expect.not.stringContaining('warn')])
    expect(saved.stdout).toMatch(/: backup of \S+: database and 3 files, [\d.]+ [kM]B\n$/)
    const target = await placeOf('target')
    const restored = await run(['restore', '--from', out('plain'), ...target.flags])
    expect([restored.code, restored.stderr]).toEqual([0, expect.not.stringContaining('warn')])
    const server = await open(target)
    try {
      expect(await readAll(server)).toEqual(before)
      const audit = await (await server.control('GET', '/audit?limit=1000')).json()
      expect(audit).toContainEqual(expect.objectContaining({ operation: 'restore' }))
      // Sequences continue after the restored rows.
      await upload(server, 'later.bin', Buffer.from('later'))
      expect((await uploads(server)).files).toHaveLength(4)
    } finally {
      await server.stop()
    }

    const again = await run(['restore', '--from', out('plain'), ...target.flags])
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') })
    const forced = await run(['restore', '--from', out('plain'), ...target.flags, '--force'])
    expect(forced).toMatchObject({ code: 0 })
    const replaced = await open(target)
    expect(await readAll(replaced)).toEqual(before)
    await replaced.stop()
  })

  it.skipIf(isSlow)(
    'encrypts everything, and detects a wrong secret and every change',
    { timeout: 120_000 },
    async () => {
      expect(await save('sealed', ...passphrase)).toMatchObject({ code: 0 })
      expect(await contentOf('sealed')).not.toMatch(/canary|ada@example|receiver|"P"\}.*large/)
      const verify = (...args: string[]) =>
        run(['restore', '--verify', '--from', out('sealed'), ...args])
      expect((await verify(...passphrase)).stdout).toMatch(/: valid backup of .*, encrypted\n$/)
      expect(await verify()).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Use --passphrase-file'),
      })
      await writeFile(out('wrong'), 'another long passphrase')
      const wrong = await verify('--passphrase-file', out('wrong'))
      expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('is not that of') })

      const objects = await readdir(join(out('sealed'), 'objects'), { recursive: true })
      const name = objects.find((one) => one.endsWith('.age'))!
      for (const path of [`${dump}.age`, 'files.jsonl.age', `objects/${name}`]) {
        const file = join(out('sealed'), path)
        await copyFile(file, out('original'))
        const bytes = await readFile(file)
        bytes[Math.floor(bytes.length / 2)]! ^= 1
        await writeFile(file, bytes)
        const changed = await verify(...passphrase)
        expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('changed or is') })
        await rm(file)
        const missing = await verify(...passphrase)
        expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('missing') })
        await copyFile(out('original'), file)
      }
      const target = await placeOf('sealed-target')
      const args = ['restore', '--from', out('sealed'), ...passphrase, ...target.flags]
      expect(await run(args)).toMatchObject({ code: 0 })
      const server = await open(target)
      expect(await readAll(server)).toEqual(before)
      await server.stop()
    },
  )

  it.skipIf(isSlow)(
    'continues an interrupted backup, and restores only a complete one',
    async () => {
      expect(await save('whole')).toMatchObject({ code: 0 })
      // As after an interruption: one file was saved, and another only in part.
      await cp(out('whole'), out('broken'), { recursive: true })
      const manifest = JSON.parse(await readFile(join(out('broken'), 'backup.json'), 'utf8')) as {
        files?: unknown
      }
      delete manifest.files
      await writeFile(join(out('broken'), 'backup.json'), JSON.stringify(manifest))
      const [first = ''] = (await readFile(join(out('broken'), 'files.jsonl'), 'utf8')).split('\n')
      await rm(join(out('broken'), 'files.jsonl'))
      await mkdir(join(out('broken'), 'journal'))
      await writeFile(join(out('broken'), 'journal', '000001.jsonl'), `${first}\n`)
      await writeFile(join(out('broken'), 'objects', 'half.unfinished'), 'a part')
      const target = await placeOf('broken-target')
      const early = await run(['restore', '--from', out('broken'), ...target.flags])
      expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('not complete') })
      const continued = await save('broken')
      expect(continued.stdout).toContain('continued backup of')
      expect(await run(['restore', '--verify', '--from', out('broken')])).toMatchObject({ code: 0 })
      expect(await readdir(join(out('broken'), 'objects'))).not.toContain('half.unfinished')
      const complete = await save('broken')
      expect(complete).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('complete backup'),
      })
    },
  )

  it.skipIf(isSlow)(
    'leaves an empty instance if a restore fails, which can be repeated',
    async () => {
      expect(await save('failing')).toMatchObject({ code: 0 })
      const target = await placeOf('failing-target')
      const from = ['restore', '--from', out('failing'), ...target.flags]
      const stopping = new AbortController()
      stopping.abort()
      expect((await run(from, stopping.signal)).code).toBe(130)
      const server = await open(target)
      const keys = await server.platform.projectKeys()
      await server.stop()
      expect(keys).toEqual(['servicekit-shared'])
      expect(await run(from)).toMatchObject({ code: 0 })
    },
  )

  it.skipIf(isSlow)(
    'reports files that were deleted during the backup or lost their bytes',
    async () => {
      const other = await placeOf('lost')
      const from = ['restore', '--from', out('plain'), ...other.flags]
      expect(await run(from)).toMatchObject({ code: 0 })
      await rm(other.settings.storage.folder, { recursive: true })
      const saved = await run(['backup', '--out', out('lost-backup'), ...other.flags, '--json'])
      expect(saved.code).toBe(1)
      expect(saved.stderr).toMatch(/^warn: file [\w-]+ of project P has no bytes in its storage$/m)
      expect(JSON.parse(saved.stdout)).toMatchObject({ files: 0 })
    },
  )

  it.skipIf(isSlow)(
    'refuses to restore while an instance runs, and to write into other folders',
    async () => {
      const target = await placeOf('running')
      const server = await open(target)
      const running = await run(['restore', '--from', out('plain'), ...target.flags])
      await server.stop()
      expect(running.code).toBe(2)
      expect(running.stderr).toMatch(/Another (?:instance|process) uses/)
      const foreign = await run(['backup', '--out', folder, ...source.flags])
      expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining('not a backup') })
    },
  )
})
