import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@servicekit/testing/free-port'
import { findRuntime, type RuntimeName } from '@servicekit/testing/runtimes'
import { checkTypes } from './check-types.ts'
import type { Storefront } from './storefront.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Script of an application, or of one of its packages, and its arguments. */
type Command = readonly [script: string, ...args: string[]]

/** Sample application of a framework in `fixtures/apps`. */
export interface FrameworkApp {
  readonly name: string
  readonly runtime: RuntimeName
  readonly build: Command
  /** Serves the build on `PORT`. */
  readonly start: Command
  /** Starts the development server; it gets the options `--host` and `--port`. */
  readonly dev: Command
  /** Commands that check its types. */
  readonly typeChecks: readonly Command[]
  /** In `fixtures/apps/heavy`: installed by npm in a folder of its own, not in the workspace. */
  readonly isSeparate?: boolean
}

export interface StartedApp {
  readonly url: string
  readonly output: () => string
  /** @throws Error with the output of the type check. */
  readonly checkTypes: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Copies an application and serves it in a process of its own: in production its build, in
 * development its sources.
 */
export async function startApp(
  app: FrameworkApp,
  platform: Storefront,
  mode: 'production' | 'development' = 'production',
): Promise<StartedApp> {
  const folder = app.isSeparate ? await installApp(app.name) : await copyApp(app.name, mode)
  // The packages of an application in the workspace are beside its sources.
  const scripts = app.isSeparate ? folder : join(repository, 'fixtures/apps', app.name)
  const node = findRuntime(app.runtime)!
  const port = await freePort()
  const env: NodeJS.ProcessEnv = {
    ...environmentOf(platform),
    NODE_ENV: mode,
    PATH: `${dirname(node)}:${process.env['PATH']}`,
    HOST: '127.0.0.1',
    PORT: String(port),
  }
  const argsOf = ([script, ...args]: Command): string[] => [
    join(script.startsWith('node_modules/') ? scripts : folder, script),
    ...args,
  ]
  const isBuilt = mode === 'production'
  if (isBuilt) await run(node, argsOf(app.build), { cwd: folder, env, maxBuffer: 1e8 })
  const development = [...argsOf(app.dev), '--host', '127.0.0.1', '--port', String(port)]
  const child = spawn(node, isBuilt ? argsOf(app.start) : development, { cwd: folder, env })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  await untilListening(url, child, () => output)
  return {
    url,
    output: () => output,
    async checkTypes() {
      for (const command of app.typeChecks)
        await checkTypes(folder, [node, ...argsOf(command)], env)
    },
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the environment of a user who works on an application. */
export function environmentOf(platform: Storefront): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_)/.test(name))
  return {
    ...(Object.fromEntries(own) as NodeJS.ProcessEnv),
    CI: '',
    TEST: '',
    SERVICEKIT_URL: platform.baseUrl,
    SERVICEKIT_PROJECT_KEY: platform.projectKey,
  }
}

/** Copies the application `name` to a folder inside it, where its packages are found. */
export async function copyApp(name: string, copy: string = 'test'): Promise<string> {
  const source = join(repository, 'fixtures/apps', name)
  const folder = join(source, '.servicekit', copy)
  await copySources(source, folder)
  return folder
}

/** Copies an application of `heavy` to a temporary folder and installs its packages. */
export async function installApp(name: string): Promise<string> {
  const folder = join(tmpdir(), `servicekit-${name}-${process.pid}`)
  await copySources(join(repository, 'fixtures/apps/heavy', name), folder)
  await install(folder)
  return folder
}

/** Copies what is committed. */
async function copySources(source: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const part of await readdir(source)) {
    if (!/^(?:node_modules|\.(?!storybook$).*|build|dist|out|uilm.*)$/.test(part)) {
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

/** Waits until the server responds; there is no event for it that all frameworks share. */
async function untilListening(
  url: string,
  child: ChildProcess,
  output: () => string,
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended\n${output()}`)
    // A server that is still starting may hold a request, and forget it.
    const signal = AbortSignal.timeout(10_000)
    if (await fetch(url, { signal }).catch(() => undefined)) return
    await new Promise((done) => setTimeout(done, 50))
  }
}
