import { fork } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const main = fileURLToPath(new URL('./visit-main.mjs', import.meta.url))

/**
 * Files and texts that a visitor of one page downloads and sees.
 *
 * @typedef {object} Visit
 * @property {readonly string[]} shown the page's texts
 * @property {readonly { name: string, text: string, gzip: number }[]} files all loaded files
 */

/**
 * Loads a built application in a separate process, to count the files that it really loads
 * rather than those that a manifest lists.
 *
 * @param {string} root
 * @param {'one' | 'two'} page
 * @returns {Promise<Visit>}
 */
export async function visitPage(root, page) {
  const dist = join(root, 'dist')
  const names = await readdir(join(dist, 'assets'))
  const entry = names.find((name) => /^main-.*\.js$/.test(name))
  if (!entry) throw new Error(`no entry among ${names.join(', ')}`)
  const { files, shown } = await load(join(dist, 'assets', entry), page)
  return {
    shown,
    files: await Promise.all(
      files.map(async (name) => {
        const content = await readFile(join(dist, name))
        return {
          name,
          text: content.toString('utf8'),
          gzip: gzipSync(content, { level: 9 }).length,
        }
      }),
    ),
  }
}

/**
 * @param {string} entry
 * @param {string} page
 * @returns {Promise<{ files: string[], shown: string[] }>}
 */
function load(entry, page) {
  return new Promise((resolve, reject) => {
    const child = fork(main, [entry, page], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    /** @type {any} */
    let answer
    child.on('message', (message) => (answer = message))
    child.on('error', reject)
    child.on('close', (code) =>
      answer ? resolve(answer) : reject(new Error(`the page ended with ${code}:\n${output}`)),
    )
  })
}

/**
 * Returns the bytes of a visit, with each file compressed separately as a server sends it.
 * @param {Visit} visit
 */
export const downloaded = ({ files }) => files.reduce((sum, { gzip }) => sum + gzip, 0)
