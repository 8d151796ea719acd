import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { startHttpProxy } from '@servicekit/testing/http-proxy'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { run } from './run.ts'

const repository = join(import.meta.dirname, '../../..')
let platform: StartedPlatform
let root: string
beforeAll(async () => {
  const projectDir = join(repository, 'fixtures/projects/storefront')
  platform = await startPlatform({ projectDir, port: 0, allowedHosts: ['service.test'] })
})
afterAll(() => platform?.close())
beforeEach(async () => {
  for (const name of ['CI', 'SERVICEKIT_URL', 'SERVICEKIT_PROJECT_KEY']) vi.stubEnv(name, '')
  root = await mkdtemp(join(tmpdir(), 'servicekit-proxy-'))
  return () => rm(root, { recursive: true, force: true })
})

/** Address of the platform that only the proxy knows. */
const service = () => [
  '--base-url',
  'http://service.test',
  '--project-key',
  platform.projectKeys[0]!,
]

it.each([
  ['pull', '--modules', 'cart'],
  ['codegen', '--out', 'api'],
])('%s %s %s uses the proxy of the environment', async (command, ...args) => {
  const target = Number(new URL(platform.baseUrl).port)
  const proxy = await startHttpProxy({ target, credentials: 'ada:lovelace' })
  onTestFinished(() => proxy.close())
  const line = [command!, '--root', root, ...args, ...service()]
  vi.stubEnv('http_proxy', `http://ada:wrong@127.0.0.1:${proxy.port}`)
  const refused = await run(line)
  expect(refused.code).toBe(4)
  expect(refused.stderr).toContain(
    `the connection through the proxy http://127.0.0.1:${proxy.port} failed (407)`,
  )
  expect(refused.stderr).toContain('The proxy requires a user and a password')
  expect(refused.stderr).not.toContain('wrong')
  vi.stubEnv('http_proxy', `http://ada:lovelace@127.0.0.1:${proxy.port}`)
  const { code, stderr } = await run(line)
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('proxy')])
  expect(proxy.requests).toEqual(
    expect.arrayContaining([expect.stringContaining(' http://service.test/')]),
  )
})

it('no tool sends a request that ignores the proxy', async () => {
  const folders = ['catalog', 'check', 'cli', 'unplugin'].map((name) => `packages/${name}/src`)
  const files = execFileSync('git', ['ls-files', ...folders], { cwd: repository, encoding: 'utf8' })
  const direct: string[] = []
  for (const file of files.trim().split('\n')) {
    // Pages run in a browser, and the sample platform is on this machine.
    if (/\.test\.ts$|key-form-code|sample-platform|\/vitest\.ts/.test(file)) continue
    const text = await readFile(join(repository, file), 'utf8')
    if (/(?<![\w.)])fetch\(/.test(text.replaceAll(/^\s*(?:\*|\/\/).*$/gm, ''))) direct.push(file)
    const clients = [...text.matchAll(/\bcreateCore\((?:[^()]|\([^()]*\))*\)/g)]
    const count = text.split(/(?<!typeof )\bcreateCore\(/).length - 1
    if (clients.filter(([call]) => call.includes('transport:')).length !== count) direct.push(file)
  }
  expect(direct).toEqual([])
})
