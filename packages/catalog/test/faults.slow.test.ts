import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { freePort } from '@servicekit/testing/free-port'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openProject, type Project } from '../src/index.ts'
import { endOf } from '@servicekit/testing/child-program'
import { type Fault, type FaultyService, startFaultyService } from './faulty-service.ts'
import { bytesIn, temporaryFolder } from '@servicekit/testing/folder'
import { isDeep } from '@servicekit/testing/is-deep'

const kills = isDeep ? 60 : 4

/** Opens a project over real connections. Only the pauses before a retry take no time. */
const projectAt = (
  baseUrl: string,
  root: string,
  { now = Date.now, timeoutMs = 10_000 } = {},
): Project =>
  openProject(
    { root, baseUrl, projectKey: 'P1', timeoutMs },
    { environment: {}, clock: { now, sleep: async () => undefined } },
  )

/** Creates a project that was pulled once. */
async function pulled() {
  const root = await temporaryFolder()
  const service = await startFaultyService()
  await projectAt(service.baseUrl, root).pull({ types: true })
  // ETags and the cache would hide what the service sends next.
  service.files.set('de-DE/cart', JSON.stringify({ TITLE: 'Neu', TEXT: 'Text' }))
  return { root, service, before: await bytesIn(root) }
}

const titleOf = async (root: string): Promise<string> =>
  (JSON.parse(await readFile(join(root, 'uilm/de-DE/cart.json'), 'utf8')) as { TITLE: string })
    .TITLE

const send =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Fault =>
  (response) =>
    void response.writeHead(status, headers).end(body)

const cutAfterHalf: Fault = (response) => {
  response.writeHead(200, { 'content-length': '100' })
  response.write('{"TITLE": "Neu"')
  setImmediate(() => response.destroy())
}

const reset: Fault = (response) => void response.socket?.resetAndDestroy()

const corruptGzip = (): Buffer => {
  const bytes = gzipSync(JSON.stringify({ TITLE: 'Neu' }))
  bytes.fill(0xff, 12, 20)
  return bytes
}

/** Faults that do not end, and the error of the pull. */
const lasting: readonly [string, Fault, { readonly code: string; readonly message: RegExp }][] = [
  ['401', send(401), { code: 'REQUEST_REFUSED', message: /401[^]*Check the project key/ }],
  ['404', send(404), { code: 'REQUEST_REFUSED', message: /responded with 404/ }],
  ['406', send(406), { code: 'REQUEST_REFUSED', message: /responded with 406/ }],
  [
    '429 without an end',
    send(429),
    { code: 'RATE_LIMITED', message: /429[^]*Try again in a minute/ },
  ],
  ['503 without an end', send(503), { code: 'REQUEST_REFUSED', message: /503[^]*attempts: 5/ }],
  ['a 304 without a condition', send(304), { code: 'REQUEST_REFUSED', message: /304/ }],
  ['a reset connection', reset, { code: 'REQUEST_FAILED', message: /connection failed/ }],
  [
    'headers that never come',
    () => undefined,
    { code: 'REQUEST_TIMED_OUT', message: /no complete response|timed out|0\.3 s|300/ },
  ],
  [
    'a body that stops halfway',
    (response) => void response.writeHead(200).write('{"TITLE"'),
    { code: 'REQUEST_TIMED_OUT', message: /no complete response|timed out|0\.3 s|300/ },
  ],
  ['a body that is cut off', cutAfterHalf, { code: 'REQUEST_FAILED', message: /connection/ }],
  ['truncated JSON', send(200, '{"TITLE": "Ne'), { code: 'RESPONSE_INVALID', message: /not JSON/ }],
  ['the page of a proxy', send(200, '<html>'), { code: 'RESPONSE_INVALID', message: /not JSON/ }],
  [
    'a decompression bomb',
    send(200, gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')), { 'content-encoding': 'gzip' }),
    { code: 'RESPONSE_TOO_LARGE', message: /maxBytes/ },
  ],
  [
    'a nested decompression bomb',
    send(200, brotliCompressSync(gzipSync(Buffer.alloc(64 * 1024 * 1024))), {
      'content-encoding': 'gzip, br',
    }),
    { code: 'RESPONSE_TOO_LARGE', message: /maxBytes/ },
  ],
  [
    'corrupt gzip',
    send(200, corruptGzip(), { 'content-encoding': 'gzip' }),
    { code: 'REQUEST_FAILED', message: /connection|decode/ },
  ],
  [
    'text that claims to be gzip',
    send(200, '{"TITLE": "Neu"}', { 'content-encoding': 'gzip' }),
    { code: 'REQUEST_FAILED', message: /connection|decode/ },
  ],
  [
    'a header of a megabyte',
    send(200, '{}', { 'x-long': 'x'.repeat(1024 * 1024) }),
    { code: 'REQUEST_FAILED', message: /connection/ },
  ],
  [
    'a response that is not HTTP',
    (response) => void response.socket?.end('220 mail.example ESMTP\r\n'),
    { code: 'REQUEST_FAILED', message: /HTTP\/1\.1 protocol|connection/ },
  ],
]

describe('a pull with a permanent error changes no file and names the cause:', () => {
  it.each(lasting)('%s', async (_, fault, { code, message }) => {
    const { root, service, before } = await pulled()
    service.fault = fault
    const timeoutMs = code === 'REQUEST_TIMED_OUT' ? 300 : 10_000
    const pulling = projectAt(service.baseUrl, root, { timeoutMs }).pull({ types: true })
    await expect(pulling).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    expect(await bytesIn(root)).toEqual(before)
    expect((await projectAt(service.baseUrl, root).load()).modules).toHaveLength(2)
  })

  it('a redirect to another host, which receives nothing', async () => {
    const { root, service, before } = await pulled()
    const other = await startFaultyService()
    service.fault = send(302, '', { location: `${other.baseUrl}/stolen` })
    await expect(projectAt(service.baseUrl, root).pull()).rejects.toMatchObject({
      message: expect.stringMatching(/redirect|302/),
    })
    expect(other.keys).toEqual([])
    expect(await bytesIn(root)).toEqual(before)
  })

  it.each<[string, (service: FaultyService) => string | Promise<string>, RegExp]>([
    ['a host name without an address', () => 'http://no-such-host.invalid', /ENOTFOUND|EAI_AGAIN/],
    ['a refused connection', async () => `http://127.0.0.1:${await freePort()}`, /ECONNREFUSED/],
    ['TLS on a port without', ({ baseUrl }) => baseUrl.replace('http:', 'https:'), /SSL|TLS|https/],
  ])('%s', { timeout: 60_000 }, async (_, addressOf, message) => {
    const { root, service, before } = await pulled()
    const address = await addressOf(service)
    await expect(projectAt(address, root).pull()).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: expect.stringMatching(message),
    })
    expect(await bytesIn(root)).toEqual(before)
  })

  it('a certificate that nobody trusts', async ({ skip }) => {
    const { root, before } = await pulled()
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) =>
      join(root, '..', `${name}-${Date.now()}`),
    )
    skip(!key || !cert || !selfSign(key, cert), 'openssl is not installed')
    const identity = { key: await readFile(key!), cert: await readFile(cert!) }
    const service = await startFaultyService(
      (listener) => createTlsServer(identity, listener),
      'https',
    )
    await expect(projectAt(service.baseUrl, root).pull()).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: expect.stringMatching(/self.signed|CERT/i),
    })
    expect(service.keys).toEqual([])
    expect(await bytesIn(root)).toEqual(before)
  })

  it('a language that is no longer sent', async () => {
    const { root, service, before } = await pulled()
    for (const module of ['auth', 'cart']) service.files.delete(`de-DE/${module}`)
    await expect(projectAt(service.baseUrl, root).pull()).rejects.toMatchObject({
      message: expect.stringMatching(/Module "\w+" in de-DE is empty/),
    })
    expect(await bytesIn(root)).toEqual(before)
  })
})

describe('a pull recovers from', () => {
  it.each<[string, number, Fault]>([
    ['one 429 with Retry-After', 1, send(429, '', { 'retry-after': '1' })],
    ['429 without Retry-After', 2, send(429)],
    [
      '503 with a date in Retry-After',
      1,
      send(503, '', { 'retry-after': new Date().toUTCString() }),
    ],
    ['two reset connections', 2, reset],
    ['a body that is cut off once', 1, cutAfterHalf],
  ])('%s', async (_, times, fault) => {
    const { root, service } = await pulled()
    service.failTimes(times, fault)
    await projectAt(service.baseUrl, root).pull({ types: true })
    expect(await titleOf(root)).toBe('Neu')
  })

  it.each([-40, 40])('a clock that is wrong by %d years', async (years) => {
    const { root, service } = await pulled()
    const skew = years * 365 * 24 * 3600 * 1000
    service.failTimes(1, send(429, '', { 'retry-after': new Date().toUTCString() }))
    await projectAt(service.baseUrl, root, { now: () => Date.now() + skew }).pull()
    expect(await titleOf(root)).toBe('Neu')
  })
})

describe('a pull reads', () => {
  const read = async (body: string | Buffer): Promise<Record<string, string>> => {
    const { root, service } = await pulled()
    service.files.set('de-DE/cart', body)
    const project = projectAt(service.baseUrl, root)
    await project.pull({ types: true })
    const file = await readFile(join(root, 'uilm/de-DE/cart.json'), 'utf8')
    return JSON.parse(file) as Record<string, string>
  }

  it('JSON after a byte order mark', async () => {
    expect(await read('\uFEFF{"TITLE": "Neu"}')).toEqual({ TITLE: 'Neu' })
  })

  it('the last value of a duplicate key, as every JSON parser', async () => {
    expect(await read('{"TITLE": "Alt", "TITLE": "Neu"}')).toEqual({ TITLE: 'Neu' })
  })

  it('keys of the prototype as ordinary keys', async () => {
    const read2 = await read('{"__proto__": "a", "constructor": "b", "toString": "c"}')
    expect(Object.entries(read2)).toEqual(
      expect.arrayContaining([
        ['__proto__', 'a'],
        ['constructor', 'b'],
        ['toString', 'c'],
      ]),
    )
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })

  it('invalid UTF-8 as replacement characters, without losing other keys', async () => {
    const body = Buffer.from('{"TITLE": "N?u", "TEXT": "Text"}')
    body[body.indexOf('?')] = 0xff
    expect(await read(body)).toEqual({ TITLE: 'N\uFFFDu', TEXT: 'Text' })
  })
})

/** Code of a process that pulls, as a user's script. */
const pullIn = (root: string, baseUrl: string): string => `
  import { openProject } from '@servicekit/catalog'
  const project = openProject(
    { root: ${JSON.stringify(root)}, baseUrl: ${JSON.stringify(baseUrl)}, projectKey: 'P1' },
    { environment: {} },
  )
  process.stdout.write('ready')
  await project.pull({ types: true }).catch((error) => {
    console.error(error.code + ' ' + error.message)
    process.exitCode = 4
  })`

/** Starts a process with the built package, which starts faster than the sources. */
function startPull(root: string, baseUrl: string): ChildProcess {
  const args = ['--input-type=module', '-e', pullIn(root, baseUrl)]
  const child = spawn(process.execPath, args, {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Adds so many modules' worth of text that a pull takes several writes of the disk. */
function enlarge(service: FaultyService, text: string): void {
  for (const file of service.files.keys()) {
    const keys = Array.from({ length: 400 }, (_, index) => [`KEY_${index}`, `${text} ${index}`])
    service.files.set(file, JSON.stringify(Object.fromEntries(keys)))
  }
}

describe('the disk', () => {
  const mounts = process.platform === 'linux' && process.getuid?.() === 0
  /** Runs a pull in a private namespace, in which the folder is a file system of its own. */
  const pullMounted = async (root: string, prepare: string, baseUrl: string) => {
    const line = `
      cp -a "$1" "$1-copy" && mount -t tmpfs -o size=2m tmpfs "$1" && cp -a "$1-copy/." "$1" &&
      ${prepare} && cd ${JSON.stringify(import.meta.dirname)} &&
      "$2" --input-type=module -e "$3"; code=$?; cd "$1"
      rm -f fill; find . -type f | sort | xargs md5sum > "$1-after"; rm -rf "$1-copy"; exit $code`
    const child = spawn(
      'unshare',
      ['-m', 'bash', '-c', line, 'bash', root, process.execPath, pullIn(root, baseUrl)],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const result = await endOf(child)
    const after = await readFile(`${root}-after`, 'utf8')
    onTestFinished(() => rm(`${root}-after`, { force: true }))
    return { ...result, after }
  }
  const sumsOf = (root: string): string =>
    execFileSync('bash', ['-c', 'cd "$0" && find . -type f | sort | xargs md5sum', root], {
      encoding: 'utf8',
    })

  it.skipIf(!mounts).each([
    [
      'that is full',
      '(head -c 3M /dev/zero > "$1/fill" 2> /dev/null || true)',
      /^EMIT_FAILED Cannot write /,
    ],
    ['that is read-only', 'mount -o remount,ro "$1"', /^EMIT_FAILED Cannot write /],
  ])('%s fails the pull, and every file stays as it was', async (_, prepare, message) => {
    const { root, service } = await pulled()
    const sums = sumsOf(root)
    enlarge(service, 'x'.repeat(300))
    const { code, errors, after } = await pullMounted(root, prepare, service.baseUrl)
    expect([code, errors]).toEqual([4, expect.stringMatching(message)])
    expect(after).toBe(sums)
  })
})

describe('processes', () => {
  it('of two pulls at the same time leave one whole state', { timeout: 60_000 }, async () => {
    const { root, service } = await pulled()
    enlarge(service, 'first')
    const children = [0, 1].map(() => startPull(root, service.baseUrl))
    const ends = await Promise.all(children.map(endOf))
    expect(ends.map(({ code, errors }) => [code, errors])).toEqual([
      [0, ''],
      [0, ''],
    ])
    const alone = await temporaryFolder()
    await projectAt(service.baseUrl, alone).pull({ types: true })
    const committed = (files: Record<string, string>) =>
      Object.entries(files).filter(([file]) => !file.includes('/cache/'))
    expect(committed(await bytesIn(root))).toEqual(committed(await bytesIn(alone)))
  })

  it(
    'killed during a pull leave files that the next pull completes',
    { timeout: 600_000 },
    async () => {
      const { root, service } = await pulled()
      for (let round = 0; round < kills; round++) {
        enlarge(service, `round ${round}`)
        const child = startPull(root, service.baseUrl)
        const ended = endOf(child)
        let requests = 0
        service.fault = (response, request) => {
          // Killed after another number of requests each time, the last time after all of them.
          if (requests++ === round % 5) setTimeout(() => child.kill('SIGKILL'), round % 7)
          const url = new URL(request.url ?? '/', service.baseUrl)
          const { searchParams } = url
          response.end(
            service.files.get(`${searchParams.get('Language')}/${searchParams.get('ModuleName')}`),
          )
        }
        await ended
        service.fault = undefined
        // Each file is whole, whatever the process was doing.
        const files = Object.entries(await bytesIn(root)).filter(([file]) => file.endsWith('.json'))
        expect(files.length).toBeGreaterThanOrEqual(5)
        for (const [, text] of files) JSON.parse(text)
        const project = projectAt(service.baseUrl, root)
        await project.pull({ types: true })
        const model = await project.load()
        const texts = model.catalog.modules.map(({ name }) => name)
        expect(texts).toEqual(['auth', 'cart'])
        expect(await readFile(join(root, 'uilm/de-DE/cart.json'), 'utf8')).toContain(
          `round ${round} 399`,
        )
      }
    },
  )
})

/** Creates a certificate of its own. Returns `false` without openssl. */
function selfSign(key: string, cert: string): boolean {
  try {
    execFileSync(
      'openssl',
      `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout ${key} -out ${cert}`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    )
    return true
  } catch {
    return false
  }
}
