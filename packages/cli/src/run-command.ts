import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
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
    const child = spawn(command, [...args], {
      cwd,
      // npm and npx are batch files on Windows.
      shell: process.platform === 'win32',
      signal: io.signal,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnvironment(),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
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

/**
 * Returns the command line of a program that a dependency provides: directly if it is linked
 * in node_modules, which takes a second less than npx, otherwise through the package manager.
 */
export function localCommand(
  { root, agent }: { readonly root: string; readonly agent: Agent },
  [name = '', ...args]: readonly string[],
): ResolvedCommand {
  const linked = join(root, 'node_modules/.bin', name)
  return existsSync(linked)
    ? { command: linked, args }
    : resolveCommand(agent, 'execute-local', [name, ...args])!
}

/** Returns the environment without npm's variables that bind a nested npm to the outer folder. */
function childEnvironment(): NodeJS.ProcessEnv {
  const { npm_config_local_prefix: _, npm_package_json: __, INIT_CWD: ___, ...rest } = process.env
  return rest
}
