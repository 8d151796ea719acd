import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { run } from '../../workspace/lib/run.mjs'

/**
 * @typedef {object} Answer
 * @property {RegExp} prompt text after which the keys are typed
 * @property {string} keys
 *
 * @typedef {object} TerminalOptions
 * @property {string} cwd
 * @property {Readonly<Record<string, string | undefined>>} [env]
 * @property {readonly Answer[]} answers in order
 * @property {number} [columns]
 */

/** Returns whether `script` of util-linux can run a program on a terminal. */
export const hasTerminal = async () =>
  (await run('script', ['--version'])).output.includes('util-linux')

/**
 * Runs a shell command on a pseudo terminal and types the answers to its prompts.
 *
 * @param {string} command
 * @param {TerminalOptions} options
 * @returns {Promise<import('../../workspace/lib/run.mjs').RunResult & { raw: string }>} `raw`: with control characters
 */
export function runInTerminal(command, { cwd, env = {}, answers, columns = 80 }) {
  const line = `stty cols ${columns} rows 40; ${command}`
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd,
    env: { ...process.env, TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting = [...answers]
  let raw = ''
  let read = 0
  child.stdout.setEncoding('utf8').on('data', (text) => {
    raw += text
    const [next] = waiting
    // Each prompt is answered once, although prompts redraw their text.
    const found = next?.prompt.exec(stripVTControlCharacters(raw.slice(read)))
    if (!next || !found) return
    read = raw.length
    waiting.shift()
    child.stdin.write(next.keys)
  })
  // A prompt that no answer matches would wait forever; the output shows it.
  const timer = setTimeout(() => child.kill(), 20_000)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 127, output: error.message, raw }))
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code: code ?? 1, output: stripVTControlCharacters(raw), raw })
    })
  })
}
