import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Program that listens on a port. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly port: number
  readonly cwd?: string
  /** User and group of the process; those of this process by default. */
  readonly uid?: number
  readonly gid?: number
}

/** Starts a program and waits until it accepts connections. */
export async function startServer({ command, args, port, ...options }: Program) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  const deadline = Date.now() + 45_000
  while (!(await isListening(port))) {
    if (failure || child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`${command} did not start: ${failure?.message ?? ''}\n${said.join('')}`)
    }
    // There is no event for a port that another process opens.
    await sleep(50)
  }
  return { stop }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
