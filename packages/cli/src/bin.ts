import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { exitCode } from './exit-codes.ts'
import type { Prompts } from './io.ts'
import { main } from './main.ts'

// Exit codes as shells define them.
const stopped = { SIGHUP: 129, SIGINT: exitCode.stopped, SIGTERM: 143 } as const
let codeWhenStopped: number = exitCode.stopped

const controller = new AbortController()
for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  let isRepeated = false
  // A listener that stays. `once` removes it before it runs, and a signal at that moment would
  // end this process before it can end the processes that it started.
  process.on(name, () => {
    // A second signal of the same kind exits at once. Ctrl-C in a terminal and another
    // signal from a parent that forwards it count as one request.
    if (isRepeated) process.exit(stopped[name])
    isRepeated = true
    codeWhenStopped = stopped[name]
    controller.abort()
  })
}

// `servicekit check | head` closes the pipe early: ignore the lost output and finish the
// work.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const isTerminal =
  process.stderr.isTTY === true && !process.env['CI'] && process.env['TERM'] !== 'dumb'

async function confirm(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const { signal } = controller
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `, { signal })).trim())
  } finally {
    lines.close()
  }
}

const prompts: Prompts = {
  select: async (message, options) => (await loadPrompts()).select(message, options),
  text: async (message, placeholder) => (await loadPrompts()).text(message, placeholder),
  confirm: async (message) => (await loadPrompts()).confirm(message),
}
const loadPrompts = async (): Promise<Prompts> =>
  (await import('./prompts.ts')).createPrompts(() => controller.abort())

const installed = (process.env['SERVICEKIT_INSTALLED'] ?? '').split(',')

async function restart(installedPackage: string): Promise<number> {
  const args = [...process.execArgv, ...process.argv.slice(1)]
  const SERVICEKIT_INSTALLED = [...installed, installedPackage].join(',')
  const env = { ...process.env, SERVICEKIT_INSTALLED }
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' })
  controller.signal.addEventListener('abort', () => void child.kill('SIGTERM'))
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? exitCode.stopped
}

const code = await main(process.argv.slice(2), {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  isTerminal,
  ...(isTerminal && process.stdin.isTTY ? { confirm, prompts } : {}),
  installed,
  restart,
  signal: controller.signal,
})
process.exitCode = code === exitCode.stopped ? codeWhenStopped : code
