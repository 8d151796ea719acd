import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runContender } from '../lib/child.mjs'
import { versionOf } from '../lib/peers.mjs'
import { generateTexts } from '../lib/texts.mjs'

/**
 * CPU time of a whole process per request, of requests one after the other over a
 * connection that is kept: a translation file of a usual size (40 texts, about 2 kB)
 * asked for, received and parsed. The service is another process. Ours is
 * `client.localization.getFile` of a client with nothing but `baseUrl` and
 * `projectKey`: with its limits of time, its request ids and its readiness to try
 * again. Of the peers each does what its documentation shows for a GET that answers
 * JSON, without interceptors and retries of its own making. appwrite has operations of
 * its own: one of those, answered with the same body.
 */
const requests = 10_000
const ours = { figure: 'microseconds', unit: 'µs', ours: 'servicekit' }
const peers = ['appwrite', 'ofetch', 'openapi-fetch', 'axios', 'ky']

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'CPU time of a request on Node',
  claims: [
    {
      claim: 'client-request-undici',
      ...ours,
      peer: 'undici',
      peerName: `undici.request ${versionOf('undici')}`,
      goal: { maxRatio: 1.4 },
    },
    ...peers.map((peer) => ({
      claim: `client-request-${peer}`,
      ...ours,
      peer,
      peerName: `${peer} ${versionOf(peer)}`,
      goal: { maxRatio: 0.4 },
    })),
  ],
  async prepare({ onEnd }) {
    const expected = JSON.stringify(file())
    const { baseUrl, close } = await startService(expected)
    onEnd(close)
    /** @param {string} client */
    const contender = (client) => async () => {
      const input = { client, baseUrl, requests, expected }
      const { result } = await runContender('client-request', input)
      return /** @type {import('../lib/claim.mjs').Sample} */ (result)
    }
    return Object.fromEntries(
      ['servicekit', 'undici', ...peers].map((client) => [client, contender(client)]),
    )
  },
}

/** One language of one module, as a service sends it. */
function file() {
  const { keys, languages } = generateTexts({ keys: 40, languages: 2, modules: 1 })
  const [, language = ''] = languages
  return Object.fromEntries(keys.map(({ key, texts }) => [key, texts[language]]))
}

/**
 * @param {string} body
 * @returns {Promise<{ baseUrl: string, close: () => Promise<void> }>}
 */
function startService(body) {
  const path = fileURLToPath(new URL('../contenders/client-server.mjs', import.meta.url))
  const child = fork(path, { execArgv: [] })
  const close = () =>
    new Promise((/** @type {(value: void) => void} */ resolve) => {
      child.once('exit', () => resolve())
      child.disconnect()
    })
  return new Promise((resolve, reject) => {
    child.once('message', (baseUrl) => resolve({ baseUrl: String(baseUrl), close }))
    child.once('error', reject)
    child.send(body)
  })
}
