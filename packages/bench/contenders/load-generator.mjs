/**
 * Sends a mix of requests from a separate process: either as fast as responses arrive, or at a
 * fixed rate that does not wait for responses. Times begin when a request is due, not when it is
 * sent, so that a slow server cannot hide its delays.
 */
import { Agent, request } from 'undici'
import { cookies, targets } from '../lib/platform-workload.mjs'

/**
 * @typedef {object} Load
 * @property {number} port
 * @property {number} seconds
 * @property {number} [perSecond] fixed rate
 * @property {number} [connections] as many requests at a time, without a fixed rate
 *
 * @typedef {object} LoadResult
 * @property {Readonly<Record<string, number>>} counts by status; `error` without a response
 * @property {readonly number[]} durationsMs of accepted requests, sorted
 */

const notes = 200
/** Share of each request, in percent. Records are updated, so that their number stays the same. */
const mix = /** @type {const} */ ([
  ['read', 50],
  ['list', 30],
  ['update', 20],
])
const kinds = mix.flatMap(([kind, percent]) => Array.from({ length: percent / 10 }, () => kind))

const agent = new Agent({ connections: 2000, pipelining: 1 })
let sequence = 0

process.on('message', async (message) => {
  const load = /** @type {Load} */ (message)
  try {
    process.send?.(await run(load))
  } catch (error) {
    process.send?.({ failure: String(error) })
  }
})

/** @param {Load} load @returns {Promise<LoadResult>} */
async function run({ port, seconds, perSecond, connections = 0 }) {
  /** @type {Record<string, number>} */
  const counts = {}
  /** @type {number[]} */
  const durationsMs = []
  const send = async (/** @type {number} */ dueAt) => {
    const status = await sendOne(port).catch(() => 'error')
    counts[status] = (counts[status] ?? 0) + 1
    if (status === 200) durationsMs.push(performance.now() - dueAt)
  }
  const start = performance.now()
  const end = start + seconds * 1000
  if (perSecond === undefined) {
    const sendRepeatedly = async () => {
      while (performance.now() < end) await send(performance.now())
    }
    await Promise.all(Array.from({ length: connections }, sendRepeatedly))
  } else {
    const pending = new Set()
    const total = Math.round(perSecond * seconds)
    for (let sent = 0; sent < total;) {
      const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * perSecond))
      for (; sent < due; sent++) {
        const one = send(start + (sent / perSecond) * 1000)
        pending.add(one)
        void one.then(() => pending.delete(one))
      }
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await Promise.all(pending)
  }
  return { counts, durationsMs: durationsMs.sort((a, b) => a - b) }
}

/** Returns the status, or `wrong` for another response than expected. @param {number} port */
async function sendOne(port) {
  const number = sequence++
  const kind = kinds[(number * 7) % kinds.length] ?? 'read'
  const { method, path, headers, body, expect } =
    kind === 'update' ? updateOf(number) : targets[kind]
  const response = await request(`http://127.0.0.1:${port}${path}`, {
    method: /** @type {'GET' | 'POST'} */ (method),
    headers: { ...headers, cookie: cookies[number % cookies.length] },
    body: body ?? null,
    dispatcher: agent,
    headersTimeout: 30_000,
  })
  const text = await response.body.text()
  return response.statusCode === 200 && !text.includes(expect) ? 'wrong' : response.statusCode
}

/** @param {number} number @returns {import('../lib/platform-workload.mjs').Target} */
const updateOf = (number) => ({
  ...targets.insert,
  body: JSON.stringify({
    query:
      'mutation ($id: String, $text: String) { updateNote(where: {ItemId: {eq: $id}}, input: {Text: $text}) { acknowledged } }',
    variables: {
      id: `note-${(number * 13) % notes}`,
      text: `A text of some words, number ${number}.`,
    },
  }),
})
