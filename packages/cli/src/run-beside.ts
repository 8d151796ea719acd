import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { exitCode } from './exit-codes.ts'

const isWindows = process.platform === 'win32'

/** Time that the processes of the command have to end after SIGTERM. */
const graceMs = 5000
const pollMs = 50

/**
 * Ends the process group of the shell when this process has ended, even if it was killed:
 * then the pipe at descriptor 3 is closed.
 */
const guard = '(cat <&3 >/dev/null; kill -s TERM 0) & exec 3<&-'

/**
 * Runs a shell command until it ends, or until this process is stopped. In both cases the
 * processes that the command started are ended too: a signal to the shell alone does not
 * reach them.
 *
 * @param variables Added to the environment of the command.
 */
export async function runBeside(
  command: string,
  signal: AbortSignal,
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const env = { ...process.env, ...variables }
  const child = isWindows
    ? spawn(command, { shell: true, stdio: 'inherit', env })
    : spawn(`${guard}\n${command}`, {
        shell: true,
        env,
        stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
        // A process group of its own, so that all of its processes receive the signal.
        detached: true,
      })
  const closed = once(child, 'exit') as Promise<[number | null]>
  const kill = (): void => void signalAll(child, 'SIGKILL')
  const stop = (): void => void signalAll(child, 'SIGTERM')
  // A second signal exits at once.
  process.once('exit', kill)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    const [code] = await closed
    return signal.aborted ? exitCode.ok : (code ?? exitCode.findings)
  } finally {
    stop()
    const end = performance.now() + graceMs
    while (signalAll(child, 0) && performance.now() < end) await setTimeout(pollMs)
    kill()
    child.stdio[3]?.destroy()
    signal.removeEventListener('abort', stop)
    process.removeListener('exit', kill)
  }
}

/** Sends a signal to all processes of the command. Returns false if there are none. */
function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  if (isWindows) {
    // Windows has no signals, and keeps no process tree after the shell has ended.
    if (signal !== 0) spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' })
    return false
  }
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
