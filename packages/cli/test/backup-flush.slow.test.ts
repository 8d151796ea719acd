import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { machineToken } from '@servicekit/testing/administrator'
import { missingPackage } from '@servicekit/testing/debian-packages'
import { createPlatform } from '../../platform/src/index.ts'
import { project } from '@servicekit/testing/projects'

const program = fileURLToPath(new URL('../bin/servicekit.js', import.meta.url))

const withoutPrefix = (variables: NodeJS.ProcessEnv, prefix: string) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith(prefix)))

it(
  'has everything of a backup on disk before it reports success',
  { timeout: 120_000 },
  async ({ skip }) => {
    const fault = await missingPackage('strace', '/usr/bin/strace')
    if (fault) skip(fault)
    const root = await realpath(await mkdtemp(join(tmpdir(), 'servicekit-backup-')))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const [dataDir, files] = [join(root, 'data'), join(root, 'files')]
    const platform = await createPlatform({
      dataDir,
      storage: [{ name: 'Default', strategy: 'Local', folder: files }],
    })
    await platform.loadProject(project('P', { en: { m: { A: '1' } } }))
    const url = 'http://platform.local/data/v4/Files/GetPreSignedUrlForUpload'
    const headers = {
      'x-service-key': 'P',
      authorization: `Bearer ${await machineToken(platform, 'P')}`,
      'content-type': 'application/json',
    }
    const signed = await platform.fetch(
      new Request(url, { method: 'POST', headers, body: JSON.stringify({ name: 'a.txt' }) }),
    )
    const { preSignedUrl } = (await signed.json()) as { preSignedUrl: string }
    const put = await platform.fetch(new Request(preSignedUrl, { method: 'PUT', body: 'text' }))
    expect(put.status).toBe(201)
    await platform.close()

    // Neither `new` nor `new/backup` exists yet.
    const out = join(root, 'new/backup')
    const trace = join(root, 'trace')
    const calls = 'trace=fsync,rename,renameat,renameat2,write,writev'
    const tracing = ['-f', '-y', '-s', '200', '-e', calls, '-o', trace]
    const settings = {
      SERVICEKIT_DATA_DIR: dataDir,
      SERVICEKIT_ALLOW: 'embedded-database,local-files,http',
      SERVICEKIT_STORAGE_STRATEGY: 'Local',
      SERVICEKIT_STORAGE_FOLDER: files,
      SERVICEKIT_PUBLIC_URL: 'http://platform.local',
    }
    execFileSync('strace', [...tracing, process.execPath, program, 'backup', '--out', out], {
      // Without the variables of the test run, which are not settings.
      env: { ...withoutPrefix(process.env, 'SERVICEKIT_'), ...settings },
    })
    const nameOf = (path: string) =>
      path
        .slice(root.length)
        .replace(/[\da-f-]{36}\.unfinished$/, 'UNFINISHED')
        .replace(/[\da-f]{64}/, 'FILE')
        .replace(/\/objects\/[\da-f]{2}(?=\/|$)/, '/objects/FO')
    const events = (await readFile(trace, 'utf8')).split('\n').flatMap((line) => {
      const [, flushed] = /fsync\(\d+<([^>]*)>/.exec(line) ?? []
      const [, renamed] = /rename\w*\(.*"([^"]+)"[^"]*$/.exec(line) ?? []
      if (flushed?.startsWith(`${root}/new`) || flushed === root)
        return [`flush ${nameOf(flushed)}`]
      if (renamed?.startsWith(out)) return [`name ${nameOf(renamed)}`]
      return /write\(1<.*: backup of /.test(line) ? ['success'] : []
    })
    const before = (first: string, second: string) => {
      const [from, to] = [events.indexOf(first), events.lastIndexOf(second)]
      expect([first, second, from >= 0 && from < to]).toEqual([first, second, true])
    }
    const manifest = 'name /new/backup/backup.json'
    // The names of the folders, and each file before the manifest that lists it.
    before('flush /new', manifest)
    before('flush ', manifest)
    for (const name of ['database.tar.gz', 'files.jsonl', `objects/FO/FILE`]) {
      before('flush /new/backup/objects/UNFINISHED', `name /new/backup/${name}`)
      before(`name /new/backup/${name}`, manifest)
    }
    before('flush /new/backup/objects/FO', manifest)
    before('flush /new/backup/objects', manifest)
    expect(events.slice(events.lastIndexOf(manifest))).toEqual([
      manifest,
      'flush /new/backup',
      'success',
    ])
  },
)
