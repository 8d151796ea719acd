import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Agent, resolveCommand, type ResolvedCommand } from 'package-manager-detector'
import type { Io } from './io.ts'

/** Output and exit code of a program. */
export interface CommandResult {
  readonly exitCode: number
  readonly output: string
}

/**
 * Runs a program until it exits. Its output goes to standard error, because standard output
 * is reserved for the result of the command; with `quiet` it is only returned.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, io, quiet = false }: { readonly cwd: string; readonly io: Io; readonly quiet?: boolean },
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawnProgram(command, args, { cwd, signal: io.signal })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (!quiet) io.stderr(text)
      })
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve({ exitCode: 127, output: `${command} was not found\n` })
      else reject(error)
    })
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output }))
  })
}

/** Starts a program whose output is piped. */
export function spawnProgram(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'signal'>,
): ChildProcess {
  const all: SpawnOptions = {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment(),
  }
  if (process.platform !== 'win32') return spawn(command, [...args], all)
  // npm and npx are batch files on Windows, which a shell runs. It splits at spaces.
  const line = [command, ...args].map((word) => (/[^\w.:\\/@=-]/.test(word) ? `"${word}"` : word))
  return spawn(line.join(' '), { ...all, shell: true })
}

/**
 * Returns the command line of a program that a dependency provides: directly if it is linked
 * in node_modules, of the folder or of one above, which takes a second less than npx,
 * otherwise through the package manager.
 */
export function localCommand(
  { root, agent }: { readonly root: string; readonly agent: Agent },
  [name = '', ...args]: readonly string[],
): ResolvedCommand {
  const linked = findInModules(root, join('.bin', name))
  if (linked !== undefined) return { command: linked, args }
  // `yarn exec` has a different syntax in each version.
  const kind = agent.startsWith('yarn') ? 'run' : 'execute-local'
  return resolveCommand(agent, kind, [name, ...args])!
}

/** Returns the path of a file in the nearest `node_modules` upwards that has it. */
export function findInModules(root: string, file: string): string | undefined {
  for (let at = root; ; at = dirname(at)) {
    const path = join(at, 'node_modules', file)
    if (existsSync(path)) return path
    if (dirname(at) === at) return undefined
  }
}

/** Returns the environment without npm's variables that bind a nested npm to the outer folder. */
function childEnvironment(): NodeJS.ProcessEnv {
  const { npm_config_local_prefix: _, npm_package_json: __, INIT_CWD: ___, ...rest } = process.env
  return rest
}
