import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@servicekit/testing/free-port'
import { findRuntime, type RuntimeName } from '@servicekit/testing/runtimes'
import { checkTypes } from './check-types.ts'
import type { Storefront } from './storefront.ts'

const run = promisify(execFile)
const apps = fileURLToPath(new URL('../../../fixtures/apps', import.meta.url))

/** Script of an application, or of one of its packages, and its arguments. */
type Command = readonly [script: string, ...args: string[]]

/** Sample application of a framework. */
export interface FrameworkApp {
  readonly name: string
  /** In `fixtures/apps`. */
  readonly folder: string
  readonly runtime: RuntimeName
  readonly build: Command
  /** Serves the build on `PORT`. */
  readonly start: Command
  /** Starts the development server; it gets the options `--host` and `--port`. */
  readonly dev: Command
  /** Commands that check its types. */
  readonly typeChecks: readonly Command[]
  /** Generated file that its tsconfig.json extends. */
  readonly generatedConfig?: string
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
  const folder = await copyApp(app.folder, mode)
  // For files that no tsconfig.json of the copy includes, a bundler reads the one above it.
  if (app.generatedConfig) await createEmpty(join(apps, app.folder, app.generatedConfig))
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
    // The packages of an application are beside its sources.
    join(script.startsWith('node_modules/') ? join(apps, app.folder) : folder, script),
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

/**
 * Copies what is committed of an application to a folder inside it, where its packages are found.
 * Without the files of pnpm: tools take the folder of these for the one with the packages.
 *
 * @param name Folder in `fixtures/apps`.
 */
export async function copyApp(name: string, copy: string = 'test'): Promise<string> {
  const source = join(apps, name)
  const folder = join(source, '.servicekit', copy)
  await rm(folder, { recursive: true, force: true })
  for (const part of await readdir(source)) {
    if (
      !/^(?:node_modules|\.(?!storybook$).*|build|dist|out|messages|uilm.*|pnpm-.*)$/.test(part)
    ) {
      await cp(join(source, part), join(folder, part), { recursive: true })
    }
  }
  return folder
}

/** Writes a file without options, unless it exists. */
async function createEmpty(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  if (!existsSync(file)) await writeFile(file, '{}')
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
