import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '@servicekit/testing/free-port'
import { startServer } from '@servicekit/testing/start-server'
import { requiredPackages } from '@servicekit/testing/debian-packages'
import { startSwift, swiftFault } from '@servicekit/testing/swift'
import { folderSource, openProject } from '../src/index.ts'
import { sharedCache } from '../src/snapshot/shared-cache.ts'
import { endOf, runChild } from '@servicekit/testing/child-program'
import { bytesIn, filesIn, temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 })

const run = promisify(execFile)
const redis = '/usr/bin/redis-server'

const files = () => ({
  'en/a': { K: 'one', L: '["not JSON"]', M: 'ü\u2028😀', N: ' 1 ' },
  'en/b': { M: 'two' },
  'de/a': { K: 'eins' },
  'de/b': { M: 'zwei' },
})
const served = () => {
  const fake = fakeService(files())
  fake.served.sendsEtags = true
  return fake
}

/** Checks that a storage serves the files of one machine to another, and nothing else. */
async function serveTwo(cache: string, environment: Readonly<Record<string, string>> = {}) {
  const [one, two] = [await temporaryFolder(), await temporaryFolder()]
  const fake = served()
  const project = (root: string) => projectOver(fake.fetch, { root, cache }, environment)
  expect(await project(one).pull()).toMatchObject({ files: 4, unchanged: 0, problems: [] })
  expect(await project(two).pull()).toMatchObject({ files: 4, unchanged: 4, problems: [] })
  const translations = fake.requests.filter(({ url }) => url.pathname.endsWith('GetUilmFile'))
  expect(translations.map(({ condition }) => condition !== null)).toEqual(
    Array.from({ length: 8 }, (_, index) => index >= 4),
  )
  expect(await bytesIn(join(two, 'uilm'))).toEqual(await bytesIn(join(one, 'uilm')))
  // After a translation changes, the third machine fetches it and the fourth gets it from
  // the cache.
  fake.served.files.set('de/a', { K: 'neu' })
  const [three, four] = [await temporaryFolder(), await temporaryFolder()]
  expect(await project(three).pull()).toMatchObject({ unchanged: 3, problems: [] })
  expect(await project(four).pull()).toMatchObject({ unchanged: 4, problems: [] })
  expect((await bytesIn(join(four, 'uilm')))['de/a.json']).toContain('neu')
}

/** Checks that a pull succeeds with an unusable storage and reports it. */
async function serveNone(cache: string, environment: Readonly<Record<string, string>> = {}) {
  const root = await temporaryFolder()
  const report = await projectOver(served().fetch, { root, cache }, environment).pull()
  expect(report).toMatchObject({ files: 4, unchanged: 0, written: 5 })
  expect(report.problems).toMatchObject([{ code: 'CACHE_UNUSABLE', severity: 'warning' }])
  return report.problems[0]!.message
}

describe('a folder', () => {
  it('shares files between machines', async () => {
    const cache = await temporaryFolder()
    await serveTwo(cache)
    expect(await filesIn(cache)).toHaveLength(9)
  })
})

/** Starts a web server that stores files, like nginx with WebDAV. */
async function startWebServer(folder: string, broken?: (request: IncomingMessage) => boolean) {
  const server = createServer(async (request, response) => {
    const file = join(folder, normalize(decodeURIComponent(request.url!)))
    if (broken?.(request)) return response.writeHead(503).end()
    if (request.method === 'PUT') {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(`${file}.part`, Buffer.concat(chunks))
      await rename(`${file}.part`, file)
      return response.writeHead(201).end()
    }
    const body = request.method === 'GET' ? await readFile(file).catch(() => undefined) : undefined
    return response.writeHead(body ? 200 : 404, { 'content-type': 'text/plain' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/uilm`
}

describe('a web server', () => {
  it('shares files between machines', async () => {
    const folder = await temporaryFolder()
    await serveTwo(await startWebServer(folder))
    expect((await readdir(folder, { recursive: true })).length).toBeGreaterThan(9)
  })

  it('causes one warning if it fails', async () => {
    const cache = await startWebServer(await temporaryFolder(), () => true)
    expect(await serveNone(cache)).toContain('503')
  })
})

const noRedis = await requiredPackages(['redis-server'], () => existsSync(redis))
describe.skipIf(noRedis !== undefined)('Redis', () => {
  async function startRedis(...args: readonly string[]) {
    const port = await freePort()
    const { stop } = await startServer({
      command: redis,
      args: ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', ...args],
      cwd: await temporaryFolder(),
      port,
    })
    onTestFinished(stop)
    return { port, stop }
  }

  it('shares files between machines and closes its connection', async () => {
    const { port } = await startRedis()
    await serveTwo(`redis://127.0.0.1:${port}`)
    const { stdout } = await run('/usr/bin/redis-cli', ['-p', `${port}`, 'info', 'clients'])
    // Only the connection of redis-cli itself.
    expect(stdout).toContain('connected_clients:1\r')
    const { stdout: keys } = await run('/usr/bin/redis-cli', ['-p', `${port}`, 'keys', '*'])
    expect(keys.trim().split('\n')).toHaveLength(9)
    expect(keys).toContain('servicekit:uilm:text:')
  })

  it('does not keep the process alive', async () => {
    const { port } = await startRedis()
    const [root, from] = [await temporaryFolder(), await temporaryFolder()]
    await mkdir(join(from, 'en'))
    await writeFile(join(from, 'en/a.json'), '{"K":"one"}')
    const options = JSON.stringify({ root, cache: `redis://127.0.0.1:${port}` })
    const ended = await endOf(
      runChild(`const { folderSource, openProject } = await import('../src/index.ts')
        const source = folderSource(${JSON.stringify(from)})
        const { files, problems } = await openProject(${options}, { environment: {}, source }).pull()
        process.stdout.write(JSON.stringify([files, problems]))`),
    )
    expect(ended).toEqual({ code: 0, output: '[1,[]]', errors: '' })
  })

  it('causes one warning with the reason if it is unreachable or requires a password', async () => {
    expect(await serveNone(`redis://127.0.0.1:${await freePort()}`)).toContain('ECONNREFUSED')
    const { port } = await startRedis('--requirepass', 'secret')
    expect(await serveNone(`redis://127.0.0.1:${port}`)).toContain('NOAUTH')
    expect(await serveNone(`redis://:wrong@127.0.0.1:${port}`)).toMatch(/WRONGPASS/)
    await serveTwo(`redis://:secret@127.0.0.1:${port}`)
  })
})

const noSwift = await swiftFault()
describe.skipIf(noSwift !== undefined)('S3', () => {
  let server: Awaited<ReturnType<typeof startSwift>> | undefined
  afterAll(() => server?.stop())

  it('shares files only with valid signatures', async () => {
    vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
    server = await startSwift()
    const { storage } = server
    const cache = `s3://${storage.bucket}?endpoint=${encodeURIComponent(storage.endpoint!)}&region=${storage.region}`
    const credentials = {
      AWS_ACCESS_KEY_ID: storage.accessKeyId,
      AWS_SECRET_ACCESS_KEY: storage.secretAccessKey,
    }
    await serveTwo(cache, credentials)
    const wrong = { ...credentials, AWS_SECRET_ACCESS_KEY: 'another' }
    const message = await serveNone(cache, wrong)
    expect(message).toContain('403')
    expect(message).not.toContain('another')
  })
})

describe('an unusable storage', () => {
  it('causes one timeout if it does not respond', async () => {
    let asked = 0
    const silent = () => {
      asked++
      return new Promise<never>(() => undefined)
    }
    const shared = sharedCache({ getItem: silent, setItem: silent }, 20)
    expect(await shared.etag('source', 'path')).toBeUndefined()
    expect(await shared.content('hash')).toBeUndefined()
    expect(String(shared.failure())).toContain('no response within 20 ms')
    expect(asked).toBe(1)
  })

  it.each([
    ['redis://127.0.0.1:1', 'unstorage/drivers/redis', 'ioredis'],
    ['s3://bucket', 'aws4fetch', 'aws4fetch'],
  ])('%s names the package that it requires', async (cache, driver, library) => {
    vi.doMock(driver, () => {
      throw new Error(`Cannot find package '${library}'`)
    })
    onTestFinished(() => vi.doUnmock(driver))
    const project = openProject(
      { root: await temporaryFolder(), cache },
      {
        environment: { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
        source: folderSource(await temporaryFolder()),
      },
    )
    await expect(project.pull()).rejects.toMatchObject({
      message: expect.stringMatching(new RegExp(`requires the package ${library}\\n`)),
      help: `Install it: npm install --save-dev ${library}`,
    })
  })
})
