import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Result of a process: success and output. */
export interface Ended {
  readonly ok: boolean
  readonly output: string
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs Node with arguments. */
export async function runNodeWith(
  args: readonly string[],
  { cwd, env }: RunOptions,
  before: readonly string[] = [],
): Promise<Ended> {
  const [command, ...rest] = [...before, process.execPath, ...args]
  try {
    const { stdout, stderr } = await run(command!, rest, {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: 1 << 26,
    })
    return { ok: true, output: stdout + stderr }
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return { ok: false, output: `${stdout}${stderr}` || String(error) }
  }
}

/** Runs Node like {@link runNodeWith}, without any network. */
export type RunCutOff = (args: readonly string[], options: RunOptions) => Promise<Ended>

/**
 * Returns a runner without network: a separate network namespace in which even the
 * loopback is down. If the system does not allow that, code that ends the process at its
 * first connection.
 */
export async function cutOff(): Promise<{ readonly by: string; readonly run: RunCutOff }> {
  const namespace = ['unshare', '--map-root-user', '--net']
  const { ok } = await runNodeWith(['-e', '0'], { cwd: '.' }, namespace)
  if (ok) {
    return {
      by: namespace.join(' '),
      run: (args, options) => runNodeWith(args, options, namespace),
    }
  }
  const preload = fileURLToPath(new URL('./no-network.mjs', import.meta.url))
  return {
    by: preload,
    run: (args, options) => runNodeWith(['--import', preload, ...args], options),
  }
}
