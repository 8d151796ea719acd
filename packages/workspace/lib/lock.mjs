import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryName } from './root.mjs'

/**
 * Runs a function while no other process of this checkout runs one under the
 * same name: two commands at once must not both write node_modules or dist. A
 * lock whose process has died is taken over.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withLock(name, body) {
  const path = temporaryName(`${name}.lock`)
  while (!tryTake(path)) await wait(100)
  try {
    return await body()
  } finally {
    rmSync(path, { force: true })
  }
}

/** @param {string} path */
function tryTake(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
  }
  if (!isHeld(path)) rmSync(path, { force: true })
  return false
}

/** @param {string} path */
function isHeld(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    // Made and not yet written, unless its maker died right then.
    if (pid === 0) return Date.now() - statSync(path).mtimeMs < 5000
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: alive, of another user. ENOENT: given back in between.
    return ['EPERM', 'ENOENT'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')
  }
}
