import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))

/** The built command, run as a process: Node 20 cannot load TypeScript. */
let built: string
/** Accepts every request and never responds. */
let silent: Server

beforeAll(async () => {
  // Below node_modules, where the bundle finds its dependencies.
  const cache = join(packageFolder, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  built = await mkdtemp(join(cache, 'built-'))
  await build({
    config: false,
    cwd: packageFolder,
    entry: { bin: 'src/bin.ts' },
    outDir: built,
    fixedExtension: false,
    dts: false,
    logLevel: 'error',
  })
  silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
})
afterAll(async () => {
  silent?.closeAllConnections()
  silent?.close()
  await rm(built, { recursive: true, force: true })
})

function start(args: readonly string[], cwd = built) {
  const child: ChildProcess = spawn(process.execPath, [join(built, 'bin.js'), ...args], {
    cwd,
    env: { ...process.env, CI: '', SERVICEKIT_URL: '', SERVICEKIT_PROJECT_KEY: '' },
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
})
