import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const require = createRequire(import.meta.url)

/**
 * Starts the workspace's tsserver, as editors run it.
 *
 * @param {string} cwd
 */
export function startTsserver(cwd) {
  const server = join(dirname(require.resolve('typescript/package.json')), 'lib/tsserver.js')
  const child = spawn(process.execPath, [server, '--disableAutomaticTypingAcquisition'], {
    cwd,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  /** @type {Map<number, (body: any) => void>} */
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return
    const message = JSON.parse(line)
    if (message.type === 'response') waiting.get(message.request_seq)?.(message)
  })
  let seq = 0
  /** Sends a command without a response. @param {string} command @param {object} args */
  const notify = (command, args) => {
    seq++
    child.stdin.write(`${JSON.stringify({ seq, type: 'request', command, arguments: args })}\n`)
    return seq
  }
  return {
    notify,
    /** @param {string} command @param {object} args @returns {Promise<any>} */
    ask: (command, args) =>
      new Promise((resolve) => {
        waiting.set(notify(command, args), resolve)
      }),
    stop: () => void child.kill(),
  }
}
