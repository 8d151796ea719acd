import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openProject } from '@servicekit/catalog'
import { freePort } from '@servicekit/testing/free-port'
import { build } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { endOf } from '@servicekit/testing/child-program'
import { type Fault, startFaultyService } from '../../catalog/test/faulty-service.ts'
import { bytesIn, temporaryFolder } from '@servicekit/testing/folder'
import { isDeep } from '@servicekit/testing/is-deep'
import { uilm } from '../src/vite.ts'
import { writeApp } from './project.ts'

// Runs bundlers on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const kills = isDeep ? 30 : 3
const main = `import { TITLE } from '~uilm/cart'\ndocument.title = TITLE()\n`

const buildIn = (root: string, baseUrl: string): Promise<unknown> =>
  build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [uilm({ root, baseUrl, projectKey: 'P1' })],
    build: { target: 'esnext', rollupOptions: { input: join(root, 'main.js') } },
  })

const pullIn = (root: string, baseUrl: string): Promise<unknown> =>
  openProject({ root, baseUrl, projectKey: 'P1' }).pull()

/** Creates an application without committed translations, whose first build pulls them. */
async function created() {
  const root = await temporaryFolder()
  await writeApp(root, { 'package.json': '{"type": "module"}', 'main.js': main })
  const service = await startFaultyService()
  return { root, service, before: await bytesIn(root) }
}

/** Creates an application that was built once. Afterwards the service has a newer translation. */
async function built() {
  const { root, service } = await created()
  await buildIn(root, service.baseUrl)
  const before = await bytesIn(root)
  expect(textIn(before)).toContain('cart in de-DE')
  service.files.set('de-DE/cart', JSON.stringify({ TITLE: 'Neu', TEXT: 'Text' }))
  return { root, service, before }
}

/** Returns the text of all files of a build. */
const textIn = (files: Record<string, string>, folder = 'dist'): string =>
  Object.entries(files)
    .flatMap(([name, text]) => (name.startsWith(`${folder}/`) ? [text] : []))
    .join('\n')

const send =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Fault =>
  (response) =>
    void response.writeHead(status, headers).end(body)

const faults: readonly [string, Fault, RegExp][] = [
  ['401', send(401), /401[^]*Check the project key/],
  ['404', send(404), /404/],
  ['a reset connection', (response) => void response.socket?.resetAndDestroy(), /connection/],
  ['truncated JSON', send(200, '{"TITLE": "Ne'), /JSON/],
  ['the page of a proxy', send(200, '<html>'), /JSON/],
  [
    'a decompression bomb',
    send(200, gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')), { 'content-encoding': 'gzip' }),
    /maxBytes/,
  ],
]

it('a build with committed translations sends no request, and writes the same files', async () => {
  const { root, service, before } = await built()
  const { length } = service.keys
  await buildIn(root, service.baseUrl)
  expect(service.keys).toHaveLength(length)
  expect(await bytesIn(root)).toEqual(before)
  await buildIn(root, `http://127.0.0.1:${await freePort()}`)
  expect(await bytesIn(root)).toEqual(before)
})

describe('a first build that cannot pull names the cause, and writes nothing:', () => {
  it.each(faults)('%s', async (_, fault, message) => {
    const { root, service, before } = await created()
    service.fault = fault
    await expect(buildIn(root, service.baseUrl)).rejects.toThrow(message)
    expect(await bytesIn(root)).toEqual(before)
  })

  it('a refused connection', async () => {
    const { root, before } = await created()
    const building = buildIn(root, `http://127.0.0.1:${await freePort()}`)
    await expect(building).rejects.toThrow(/ECONNREFUSED/)
    expect(await bytesIn(root)).toEqual(before)
  })

  it('a redirect to another host, which receives nothing', async () => {
    const { root, service, before } = await created()
    const other = await startFaultyService()
    service.fault = send(302, '', { location: `${other.baseUrl}/stolen` })
    await expect(buildIn(root, service.baseUrl)).rejects.toThrow(/redirect|302/)
    expect(other.keys).toEqual([])
    expect(await bytesIn(root)).toEqual(before)
  })

  it('a language that is no longer sent', async () => {
    const { root, service, before } = await built()
    for (const module of ['auth', 'cart']) service.files.delete(`de-DE/${module}`)
    await expect(pullIn(root, service.baseUrl)).rejects.toThrow(/Module "\w+" in de-DE is empty/)
    expect(await bytesIn(root)).toEqual(before)
  })
})

describe('a first build uses', () => {
  it('the translation after a temporary fault', async () => {
    const { root, service } = await created()
    service.failTimes(1, send(503, '', { 'retry-after': '0' }))
    await buildIn(root, service.baseUrl)
    expect(textIn(await bytesIn(root))).toContain('cart in de-DE')
  })

  it('keys of the prototype as ordinary keys', async () => {
    const { root, service } = await created()
    service.files.set('de-DE/cart', '{"__proto__": "a", "constructor": "b", "TITLE": "Neu"}')
    await buildIn(root, service.baseUrl)
    expect(textIn(await bytesIn(root))).toContain('Neu')
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })
})

/** Code of a process that builds, as a user's script. */
const scriptOf = (root: string, baseUrl: string, outDir: string): string => `
  import { build } from 'vite'
  import { uilm } from '@servicekit/unplugin/vite'
  const root = ${JSON.stringify(root)}
  process.stdout.write('ready')
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [uilm({ root, baseUrl: ${JSON.stringify(baseUrl)}, projectKey: 'P1' })],
    build: { target: 'esnext', outDir: '${outDir}', rollupOptions: { input: root + '/main.js' } },
  }).catch((error) => {
    console.error(error.message)
    process.exitCode = 4
  })`

/** Starts a process that builds with the built package. */
function startBuild(root: string, baseUrl: string, outDir = 'dist'): ChildProcess {
  const args = ['--input-type=module', '-e', scriptOf(root, baseUrl, outDir)]
  return startIn(process.execPath, args)
}

function startIn(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const mounts = process.platform === 'linux' && process.getuid?.() === 0

it.skipIf(!mounts)(
  'a read-only folder of translations fails a build, and nothing changes',
  async () => {
    const { root, service } = await built()
    await rm(join(root, 'uilm.lock.json'))
    const before = await bytesIn(root)
    // Read-only for this process alone, in a namespace of its own.
    const line = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" &&
    "$2" --input-type=module -e "$3"`
    const script = scriptOf(root, service.baseUrl, 'dist')
    const child = startIn('unshare', [
      '-m',
      'bash',
      '-c',
      line,
      'bash',
      join(root, 'uilm'),
      process.execPath,
      script,
    ])
    const { code, errors } = await endOf(child)
    expect([code, errors]).toEqual([4, expect.stringMatching(/Cannot write /)])
    expect(await bytesIn(root)).toEqual(before)
  },
)

describe('processes', () => {
  it('of two builds at the same time end with whole files', async () => {
    const { root, service } = await created()
    const folders = ['dist', 'other']
    const builds = folders.map((outDir) => endOf(startBuild(root, service.baseUrl, outDir)))
    const ends = await Promise.all(builds)
    expect(ends.map(({ code, errors }) => [code, errors])).toEqual([
      [0, ''],
      [0, ''],
    ])
    const files = await bytesIn(root)
    for (const folder of folders) expect(textIn(files, folder)).toContain('cart in de-DE')
  })

  it('killed during a build leave files that the next build completes', async () => {
    const { root, service } = await built()
    for (let round = 0; round < kills; round++) {
      service.files.set('de-DE/cart', JSON.stringify({ TITLE: `Neu ${round}`, TEXT: 'Text' }))
      await rm(join(root, 'uilm.lock.json'))
      const child = startBuild(root, service.baseUrl)
      const ended = endOf(child)
      await new Promise((resolve) => child.stdout!.once('data', resolve))
      setTimeout(() => child.kill('SIGKILL'), (round * 37) % 200)
      await ended
      for (const [file, text] of Object.entries(await bytesIn(root))) {
        if (file.startsWith('uilm/') && file.endsWith('.json')) JSON.parse(text)
      }
      await pullIn(root, service.baseUrl)
      await buildIn(root, service.baseUrl)
      expect(textIn(await bytesIn(root))).toContain(`Neu ${round}`)
    }
  })
})
