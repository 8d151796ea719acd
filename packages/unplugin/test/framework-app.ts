import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findRuntime, type RuntimeName } from '@servicekit/workspace/runtimes'
import type { Storefront } from './storefront.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Sample application of a framework in `fixtures/apps`. */
export interface FrameworkApp {
  readonly name: string
  readonly runtime: RuntimeName
  /** Package with the program that builds it, and the arguments. */
  readonly build: readonly [script: string, ...args: string[]]
  /** Script that serves the build on `PORT`, and its arguments. */
  readonly start: readonly [script: string, ...args: string[]]
  /** In `fixtures/apps/heavy`: installed by npm in a folder of its own, not in the workspace. */
  readonly isSeparate?: boolean
}

export interface StartedApp {
  readonly url: string
  readonly output: () => string
  readonly close: () => Promise<void>
}

/** Copies and builds an application, and serves it in a process of its own. */
export async function startApp(app: FrameworkApp, platform: Storefront): Promise<StartedApp> {
  const source = join(repository, 'fixtures/apps', app.isSeparate ? 'heavy' : '', app.name)
  const folder = app.isSeparate
    ? join(tmpdir(), `servicekit-${app.name}-${process.pid}`)
    : join(source, '.servicekit/test')
  await copySources(source, folder)
  if (app.isSeparate) await install(folder)
  const node = findRuntime(app.runtime)!
  const port = await freePort()
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_OPTIONS: '',
    NODE_ENV: 'production' as const,
    CI: '',
    PATH: `${dirname(node)}:${process.env['PATH']}`,
    SERVICEKIT_URL: platform.baseUrl,
    SERVICEKIT_PROJECT_KEY: platform.projectKey,
    HOST: '127.0.0.1',
    PORT: String(port),
  }
  const scriptOf = (script: string): string =>
    app.isSeparate || !script.startsWith('node_modules/')
      ? join(folder, script)
      : join(source, script)
  const [builder, ...buildArgs] = app.build
  await run(node, [scriptOf(builder), ...buildArgs], { cwd: folder, env, maxBuffer: 1e8 })
  const [server, ...startArgs] = app.start
  const child = spawn(node, [scriptOf(server), ...startArgs], { cwd: folder, env })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  await untilListening(url, child, () => output)
  return {
    url,
    output: () => output,
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Copies the application `name` to a folder inside it, where its packages are found. */
export async function copyApp(name: string): Promise<string> {
  const source = join(repository, 'fixtures/apps', name)
  const folder = join(source, '.servicekit/test')
  await copySources(source, folder)
  return folder
}

/** Copies what is committed. */
async function copySources(source: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const part of await readdir(source)) {
    if (!/^(?:node_modules|\..*|build|dist|uilm.*)$/.test(part)) {
      await cp(join(source, part), join(folder, part), { recursive: true })
    }
  }
}

/** Installs the dependencies of an application; those of this repository are linked. */
async function install(folder: string): Promise<void> {
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const own = Object.entries(manifest.devDependencies).filter(([, version]) =>
    version.startsWith('workspace:'),
  )
  for (const [name] of own) delete manifest.devDependencies[name]
  await writeFile(file, JSON.stringify(manifest))
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  // With NODE_ENV=production npm would leave out the tools that build.
  await run('npm', [...args, '--include=dev'], { cwd: folder, maxBuffer: 1e8 })
  for (const [name] of own) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    const target = name === 'servicekit' ? 'cli' : name.replace('@servicekit/', '')
    await symlink(join(repository, 'packages', target), link, 'dir')
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** Waits until the server responds; there is no event for it that all frameworks share. */
async function untilListening(
  url: string,
  child: ChildProcess,
  output: () => string,
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended\n${output()}`)
    if (await fetch(url).catch(() => undefined)) return
    await new Promise((done) => setTimeout(done, 50))
  }
}
