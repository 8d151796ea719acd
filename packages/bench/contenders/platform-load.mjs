/**
 * Sends a request repeatedly over kept-alive connections, from a separate process, and
 * counts the responses.
 */
import { Pool } from 'undici'
import { cookies } from '../lib/platform-workload.mjs'

process.on('message', async (message) => {
  const { ports, target, seconds, connections } = /** @type {Load} */ (message)
  try {
    process.send?.(await run(ports, target, seconds, connections))
  } catch (error) {
    process.send?.({ failure: String(error) })
  }
})

/**
 * @typedef {object} Load
 * @property {readonly number[]} ports of the instances, used in turn
 * @property {import('../lib/platform-workload.mjs').Target} target
 * @property {number} seconds
 * @property {number} connections to each instance
 */

/**
 * @param {readonly number[]} ports
 * @param {import('../lib/platform-workload.mjs').Target} target
 * @param {number} seconds
 * @param {number} connections
 */
async function run(ports, { method, path, headers, body, expect }, seconds, connections) {
  const pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, { connections }))
  let count = 0
  const send = async (/** @type {Pool} */ pool) => {
    while (performance.now() < end) {
      const response = await pool.request({
        method: /** @type {any} */ (method),
        path,
        headers: { ...headers, cookie: cookies[count % cookies.length] },
        body: body ?? null,
      })
      const text = await response.body.text()
      if (response.statusCode !== 200 || !text.includes(expect))
        throw new Error(
          `${method} ${path} responded with ${response.statusCode}: ${text.slice(0, 200)}`,
        )
      count++
    }
  }
  const start = performance.now()
  const end = start + seconds * 1000
  try {
    await Promise.all(
      pools.flatMap((pool) => Array.from({ length: connections }, () => send(pool))),
    )
  } finally {
    await Promise.all(pools.map((pool) => pool.close()))
  }
  const elapsed = (performance.now() - start) / 1000
  return { perSecond: count / elapsed, count }
}
