import { launchBrowser } from '@servicekit/testing/browser'
import { findRuntime, type RuntimeName } from '@servicekit/testing/runtimes'
import { build } from 'esbuild'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { SuiteResult } from './suite.ts'
import type { Settings } from './world.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../../../..')
const run = promisify(execFile)

/** Runs the suite in a runtime. */
export type Run = (settings: Settings) => Promise<SuiteResult>

/**
 * Creates a folder as a user has it: the built client in node_modules, resolved by each
 * runtime itself.
 */
export async function prepareFolder(folder: string): Promise<void> {
  const build = ['packages/workspace/build.mjs', 'client']
  await run(process.execPath, build, { cwd: root })
  await mkdir(join(folder, 'node_modules/@servicekit'), { recursive: true })
  const client = join(folder, 'node_modules/@servicekit/client')
  await symlink(join(root, 'packages/client'), client, 'junction')
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
}

/** Node, Bun and Deno import the package themselves. */
export const inProcess =
  (folder: string, name: RuntimeName, args: readonly string[] = []): Run =>
  async (settings) => {
    const script = join(folder, 'process.js')
    await bundle({ entry: 'process-entry.ts', outfile: script, packages: 'external' })
    return runProcess<SuiteResult>(folder, name, [...args, script, JSON.stringify(settings)])
  }

/** Runs a script, and returns the JSON in the last line of its output. */
export async function runProcess<Result>(
  folder: string,
  name: RuntimeName,
  args: readonly string[],
): Promise<Result> {
  const { stdout } = await run(
    findRuntime(name)!,
    [...args],
    // Deno must not check for updates or fetch anything.
    { cwd: folder, env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' }, maxBuffer: 2 ** 26 },
  )
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Result
}

/** workerd runs a bundle with the conditions of its bundler and may access only loopback. */
export const inWorker =
  (folder: string): Run =>
  async (settings) => {
    const worker = join(folder, 'worker.js')
    const conditions = ['workerd', 'worker', 'browser']
    await bundle({ entry: 'worker-entry.ts', outfile: worker, conditions })
    return runWorker<SuiteResult>(folder, settings)
  }

/** Runs `worker.js` of a folder in workerd: the input is a request, the result its response. */
export async function runWorker<Result>(folder: string, input: object): Promise<Result> {
  await writeFile(join(folder, 'worker.capnp'), workerConfig)
  const child = spawn(
    findRuntime('workerd')!,
    ['serve', 'worker.capnp', '--experimental', '--control-fd=3'],
    { cwd: folder, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] },
  )
  try {
    const port = await portOf(child)
    const init = { method: 'POST', body: JSON.stringify(input) }
    const response = await fetch(`http://127.0.0.1:${port}/`, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`the worker answered ${response.status}: ${text}`)
    return JSON.parse(text) as Result
  } finally {
    const ended = once(child, 'exit')
    if (child.kill('SIGKILL')) await ended
  }
}

/** A page runs a production bundle for browsers. */
export const inPage =
  (folder: string, pageUrl: string): Run =>
  async (settings) => {
    const page = join(folder, 'page.js')
    await bundle({ entry: 'page-entry.ts', outfile: page, conditions: ['production'] })
    const browser = await launchBrowser()
    try {
      const tab = await browser.newPage()
      await tab.goto(pageUrl)
      await tab.addScriptTag({ path: page, type: 'module' })
      await tab.waitForFunction('globalThis.suite')
      return await tab.evaluate<SuiteResult>(`suite(${JSON.stringify(settings)})`)
    } finally {
      await browser.close()
    }
  }

const workerConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "suite", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2025-01-01",
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "suite")],
);
`

/** Returns the port that workerd reports on its control channel. */
async function portOf(child: ChildProcess): Promise<number> {
  for await (const line of createInterface(child.stdio[3] as Readable)) {
    const { event, port } = JSON.parse(line) as { event: string; port: number }
    if (event === 'listen') return port
  }
  throw new Error('workerd ended before it listened')
}

/** Bundles a test file; `external` packages are resolved by the runtime. */
export async function bundle({
  entry,
  outfile,
  packages = 'bundle',
  conditions = [],
}: {
  readonly entry: string
  readonly outfile: string
  readonly packages?: 'bundle' | 'external'
  readonly conditions?: readonly string[]
}): Promise<void> {
  await build({
    entryPoints: [join(here, entry)],
    outfile,
    bundle: true,
    packages,
    format: 'esm',
    target: 'es2022',
    platform: packages === 'external' ? 'node' : 'browser',
    conditions: [...conditions],
    // Modules that a worker does not have are never loaded.
    external: ['node:*'],
    logLevel: 'silent',
  })
}
