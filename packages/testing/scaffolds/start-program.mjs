import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { launchBrowser } from '../src/browser.mjs'
import { recordErrors } from './visit.mjs'

/**
 * @typedef {object} Place
 * @property {string} app folder of the project
 * @property {Record<string, string | undefined>} env
 */

/**
 * Starts a server or a program, and waits until its output is as expected.
 *
 * @template T
 * @param {string} line
 * @param {Place} place
 * @param {(output: string) => T | undefined} read result of the output; undefined to go on
 */
export async function startProgram(line, { app, env }, read) {
  const [command = '', ...args] = line.split(' ')
  const child = spawn(command, args, {
    cwd: app,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the servers behind npm can be ended.
    detached: true,
  })
  const closed = new Promise((done) => child.once('close', done))
  let output = ''
  /** @type {Promise<T>} */
  const result = new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ reason) => reject(new Error(`${reason}\n${output}`))
    const timer = setTimeout(() => fail('The expected output was not printed'), 120_000)
    void closed.then(() => {
      clearTimeout(timer)
      fail('The command ended')
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += stripVTControlCharacters(text)
        const found = read(output)
        if (found === undefined) return
        clearTimeout(timer)
        resolve(found)
      })
    }
  })
  return {
    result,
    output: () => output,
    async stop() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It has ended.
      }
      await closed
    },
  }
}

/**
 * Runs a program until it has printed the example.
 *
 * @param {string} line
 * @param {readonly string[]} prints
 * @param {Place} place
 */
export async function runProgram(line, prints, place) {
  const program = await startProgram(line, place, (output) =>
    prints.every((text) => output.includes(text)) ? true : undefined,
  )
  try {
    await program.result
  } finally {
    await program.stop()
  }
}

/**
 * Starts a server, and resolves when it has printed its address.
 *
 * @param {string} line
 * @param {Place} place
 */
export const startServer = (line, place) =>
  startProgram(line, place, (text) =>
    /(?:Local|Loopback|Listening on|\[react-router-serve\]):?\s+(http:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d+)/i
      .exec(text)?.[1]
      ?.replace(/0\.0\.0\.0|\[::\]/, 'localhost'),
  )

/**
 * Starts the page and reads the example from it with a browser.
 *
 * @param {string} line
 * @param {Place} place
 */
export async function showPage(line, place) {
  const { result, output, stop } = await startServer(line, place)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    const errors = recordErrors(page)
    await page.goto(`${await result}/`, { timeout: 120_000 })
    const items = page.locator('#servicekit-example li')
    await items
      .first()
      .waitFor({ timeout: 120_000 })
      .catch((/** @type {Error} */ error) => {
        throw new Error(`${error.message}\n${errors.join('\n')}\n${output()}`)
      })
    const heading = await page.locator('#servicekit-example h2').innerText()
    const names = await items.allInnerTexts()
    if (heading !== 'Our ceramics' || !names.includes('Harbour Mug')) {
      throw new Error(`The page shows "${heading}" and ${names.join(', ')}`)
    }
    if (errors.length > 0) throw new Error(`The page reported\n${errors.join('\n')}`)
  } finally {
    await browser.close()
    await stop()
  }
}
