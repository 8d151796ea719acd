import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../cli/bin/servicekit.js', import.meta.url))

export type Variables = Readonly<Record<string, string>>

/** Command that runs in a process of its own. */
export type Command = ReturnType<typeof startCommand>

/** Starts `servicekit`, with no settings other than those given. */
export const startCommand = (args: readonly string[], variables: Variables, cwd: string) =>
  startProcess(process.execPath, [program, ...args], variables, cwd)

/** Starts a line of shell as `startCommand` does, with an input of its own. */
export const startShell = (line: string, variables: Variables, cwd: string, input = '') =>
  startProcess('bash', ['-c', line], variables, cwd, input)

function startProcess(
  command: string,
  args: readonly string[],
  variables: Variables,
  cwd: string,
  input = '',
) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SERVICEKIT_') && name !== 'DATABASE_URL',
  )
  const child = spawn(command, args, {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      ...variables,
    },
    // Without a terminal, and with a group of its own, which receives the signals.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A program that reads no input may end before it arrives.
  child.stdin.on('error', () => {}).end(input)
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text))
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    printed,
    ended,
    kill: async (signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, signal)
      await ended
    },
  }
}

/** Runs `servicekit` until it ends. */
export async function runCommand(args: readonly string[], variables: Variables, cwd: string) {
  const { ended, printed } = startCommand(args, variables, cwd)
  return { code: await ended, ...printed }
}

export type Instance = Awaited<ReturnType<typeof startInstance>>

/** Starts `servicekit serve` on a free port, and waits until it accepts requests. */
export async function startInstance(variables: Variables, cwd: string) {
  const command = startCommand(['serve', '--host', '127.0.0.1', '--port', '0'], variables, cwd)
  return { ...command, baseUrl: await waitForServer(command) }
}

/** Waits until `servicekit serve` accepts requests, and resolves with its URL. */
export async function waitForServer({ child, printed, ended }: Command): Promise<string> {
  const started = (): string | undefined =>
    printed.stdout
      .split('\n')
      .find((line) => line.includes('"event":"started"') && line.endsWith('}'))
  while (started() === undefined) {
    const isOver = await Promise.race([
      once(child.stdout, 'data').then(() => false),
      ended.then(() => true),
    ])
    if (isOver) throw new Error(`servicekit serve ended: ${printed.stdout}${printed.stderr}`)
  }
  const { baseUrl } = JSON.parse(started()!) as { baseUrl: string }
  return baseUrl
}
