import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockTable } from '@servicekit/testing/lock-table'
import { startPostgres } from '@servicekit/testing/postgres'
import { buildCli } from './build-cli.ts'

/** The built command, run as a process: Node 20 cannot load TypeScript. */
let built: string
/** Accepts every request and never responds. */
let silent: Server

beforeAll(async () => {
  built = await buildCli()
  silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
})
afterAll(async () => {
  silent?.closeAllConnections()
  silent?.close()
  await rm(built, { recursive: true, force: true })
})

function start(args: readonly string[], cwd = built, env: NodeJS.ProcessEnv = {}) {
  const child: ChildProcess = spawn(process.execPath, [join(built, 'bin.js'), ...args], {
    cwd,
    env: { ...process.env, CI: '', SERVICEKIT_URL: '', SERVICEKIT_PROJECT_KEY: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr }))
  return { child, ended }
}

describe('a process', () => {
  it('ignores a closed pipe, as with `| head`', async () => {
    const { child, ended } = start(['help'])
    child.stdout!.destroy()
    expect(await ended).toEqual({ code: 0, stderr: '' })
  })

  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops at %s with code %i and writes nothing', async (name, code) => {
    const root = await mkdtemp(join(built, 'root-'))
    const { port } = silent.address() as AddressInfo
    const asked = once(silent, 'request')
    const service = ['--base-url', `http://127.0.0.1:${port}`, '--project-key', 'P1']
    const { child, ended } = start(['pull', ...service], root)
    await asked
    child.kill(name)
    expect(await ended).toEqual({ code, stderr: 'Stopped\n' })
    expect(await readdir(root)).toEqual([])
  })

  // A process without a listener, even for a moment, would end by the signal, with the code null.
  it('exits with its code when the second signal follows immediately', async () => {
    const { port } = silent.address() as AddressInfo
    const service = ['--base-url', `http://127.0.0.1:${port}`, '--project-key', 'P1']
    for (let round = 0; round < 12; round++) {
      const asked = once(silent, 'request')
      const { child, ended } = start(['pull', ...service], await mkdtemp(join(built, 'root-')))
      await asked
      child.kill('SIGTERM')
      // Shorter than a timer can wait.
      const end = performance.now() + round * 0.05
      while (performance.now() < end);
      child.kill('SIGTERM')
      expect(await ended).toMatchObject({ code: 143 })
    }
  }, 60_000)
})

/** Connects to the port in the first argument until it ends, and starts itself once more. */
const program = `
const [port, isChild] = process.argv.slice(2)
const socket = require('node:net').connect(Number(port), '127.0.0.1')
if (process.env.STUBBORN) process.on('SIGTERM', () => socket.write('ignored'))
if (!isChild) require('node:child_process').spawn(process.execPath, [__filename, port, 'child'])
`

/** Starts `dev --run` and waits until the command and its child process are connected. */
async function startBeside(env: NodeJS.ProcessEnv = {}) {
  const root = await mkdtemp(join(built, 'beside-'))
  await writeFile(join(root, 'program.cjs'), program)
  const ends: Promise<unknown>[] = []
  const ignored: Promise<unknown>[] = []
  const server = createTcpServer()
  const connected = new Promise<void>((resolve) => {
    server.on('connection', (socket: Socket) => {
      // A process that is killed resets its connection.
      socket.on('error', () => {}).resume()
      ignored.push(new Promise((resolve) => socket.once('data', resolve)))
      if (ends.push(new Promise((end) => socket.once('close', end))) === 2) resolve()
    })
  }).finally(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const command = `node program.cjs ${port}; true`
  const { child, ended } = start(['dev', '--memory', '--port', '0', '--run', command], root, env)
  const failed = ended.then(({ stderr }) => Promise.reject(new Error(stderr)))
  await Promise.race([connected, failed])
  failed.catch(() => {})
  return { child, ended, ends, ignored }
}

// Windows has no signals.
describe.skipIf(process.platform === 'win32')('dev --run', { timeout: 120_000 }, () => {
  it.each([
    ['SIGTERM', 0],
    ['SIGKILL', null],
  ] as const)('ends the command and its processes at %s', async (name, code) => {
    const { child, ended, ends } = await startBeside()
    expect(ends).toHaveLength(2)
    child.kill(name)
    expect(await ended).toEqual({ code, stderr: '' })
    await Promise.all(ends)
  })

  it('kills processes that ignore the signal when it is sent again', async () => {
    const { child, ended, ends, ignored } = await startBeside({ STUBBORN: '1' })
    child.kill('SIGTERM')
    await Promise.all(ignored)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 143 })
    await Promise.all(ends)
  })
})

describe('serve', () => {
  const local = [
    'serve',
    '--public-url=http://localhost',
    '--host=127.0.0.1',
    '--port=0',
    '--storage-strategy=Local',
  ]
  const embedded = [...local, '--allow=embedded-database,local-files,http', '--data-dir=data']
  // Variables of the test run are unknown to the server.
  const env = Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => name.startsWith('SERVICEKIT_'))
      .map((name) => [name, '']),
  )

  /** Starts a server, and waits until it listens. */
  async function startServer(args: readonly string[] = [], variables = {}, base = embedded) {
    const root = await mkdtemp(join(built, 'serve-'))
    const started = start([...base, ...args], root, { ...env, ...variables })
    const lines = createInterface({ input: started.child.stdout! })[Symbol.asyncIterator]()
    const entry = async (event: string): Promise<{ baseUrl: string }> => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error((await started.ended).stderr)
        const parsed = JSON.parse(value) as { event: string; baseUrl: string }
        if (parsed.event === event) return parsed
      }
    }
    return { ...started, entry, baseUrl: (await entry('started')).baseUrl }
  }

  it('lists all problems of its configuration, and exits with 2', async () => {
    const options = { ...env, SERVICEKIT_SECRET: 'canary', SERVICEKIT_PRT: '1' }
    const { code, stderr } = await start(['serve', '--port', 'x'], built, options).ended
    expect([code, stderr.split('\n')]).toEqual([
      2,
      [
        'The configuration of the server has 6 problems',
        expect.stringMatching(/^ {2}SERVICEKIT_PRT: .+ Did you mean SERVICEKIT_PORT\?$/),
        expect.stringContaining('  secret: must have at least 16 characters'),
        expect.stringContaining('  port: must be an integer between 0 and 65535 (received "x")'),
        expect.stringContaining('  publicUrl: is missing. Set SERVICEKIT_PUBLIC_URL, --public-url'),
        expect.stringContaining('  databaseUrl: is missing.'),
        expect.stringContaining('  storage.strategy: is missing.'),
        expect.stringContaining('servicekit serve --check-config'),
        'Run npx servicekit explain OPTION_INVALID',
        '',
      ],
    ])
    expect(stderr).not.toContain('canary')
    const help = start([...embedded, '--check-config'], built, env)
    let stdout = ''
    help.child.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    expect(await help.ended).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^dataDir +"data" +--data-dir$/m)
  })

  it.skipIf(process.platform === 'win32')(
    'stops at SIGTERM with 0, and at a second one at once',
    async () => {
      const first = await startServer(['--shutdown-delay-ms', '0'])
      expect((await fetch(`${first.baseUrl}/ready`)).status).toBe(200)
      first.child.kill('SIGTERM')
      await first.entry('stopped')
      expect(await first.ended).toEqual({ code: 0, stderr: '' })

      const second = await startServer(['--shutdown-delay-ms', '600000'])
      second.child.kill('SIGTERM')
      await second.entry('stopping')
      expect((await fetch(`${second.baseUrl}/ready`)).status).toBe(503)
      second.child.kill('SIGTERM')
      expect(await second.ended).toMatchObject({ code: 143 })
    },
    60_000,
  )

  it.skipIf(process.platform === 'win32')(
    'exits with 1, and says why, if a request still uses the database after the limits',
    async () => {
      const postgres = await startPostgres()
      try {
        const server = await startServer(
          ['--shutdown-delay-ms=0', '--shutdown-timeout-ms=200'],
          {
            SERVICEKIT_DATABASE_URL: postgres.databaseUrl,
            SERVICEKIT_SECRET: 'a secret of 16 characters',
            SERVICEKIT_CONTROL_TOKEN: 'canary-control-token',
          },
          [...local, '--allow=local-files,http', '--storage-folder=files'],
        )
        const table = await lockTable(postgres.databaseUrl, 'servicekit.projects')
        const held = fetch(`${server.baseUrl}/_platform/projects`, {
          headers: { authorization: 'Bearer canary-control-token' },
        }).catch((error: unknown) => error)
        await expect.poll(table.waiting).toBe(1)
        server.child.kill('SIGTERM')
        expect(await held).toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } })
        expect(await server.entry('stopped')).toMatchObject({
          level: 'error',
          message: expect.stringContaining('still uses the database 5200 ms after the signal'),
        })
        expect(await server.ended).toEqual({ code: 1, stderr: '' })
        await table.release()
      } finally {
        await postgres.stop()
      }
    },
    60_000,
  )
})
