import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ScriptResult {
  readonly code: number | null
  readonly output: string
}

/** Process groups that still may run; see {@link stopScripts}. */
const groups = new Set<number>()

/**
 * Runs a script as the runners do: bash that stops at the first failure. Processes that it starts
 * in the background go on.
 */
export async function runScript(
  script: string,
  {
    cwd,
    env,
    temp,
  }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly temp: string },
): Promise<ScriptResult> {
  const file = join(temp, 'script.sh')
  await writeFile(file, script)
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that processes in the background can be found.
    detached: true,
  })
  groups.add(child.pid!)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  // Not `close`: a process in the background may keep the streams open.
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, output }
}

/** Ends the processes that scripts left in the background, as runners do at the end of a job. */
export function stopScripts(): void {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGTERM')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  groups.clear()
}
