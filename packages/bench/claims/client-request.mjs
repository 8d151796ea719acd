import { fileURLToPath } from 'node:url'
import { startChild } from '../lib/child-process.mjs'
import { runContender } from '../lib/run-contender.mjs'
import { versionOf } from '../lib/peers.mjs'
import { generateCatalog } from '../lib/generate-catalog.mjs'

/**
 * CPU time per request of a whole process that sends requests sequentially over a
 * kept-alive connection: a translation file of typical size (40 messages, about 2 kB) is
 * requested, received and parsed. The service is a separate process. Ours is
 * `client.localization.getFile` of a client with only `baseUrl` and `projectKey`, which
 * includes its timeouts, request ids and retry support. Each peer does what its
 * documentation shows for a GET that returns JSON, without custom interceptors and retries.
 * appwrite has its own operations, so one of those is used, with the same response body.
 */
const requests = 10_000
const staticServer = fileURLToPath(new URL('../contenders/static-server.mjs', import.meta.url))
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
    const expected = JSON.stringify(translationFile())
    const service = startChild(staticServer)
    onEnd(service.stop)
    const { baseUrl } = await service.ask({ body: expected })
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

/** Returns one language of one module, as a service sends it. */
function translationFile() {
  const { messages, languages } = generateCatalog({ keys: 40, languages: 2, modules: 1 })
  const [, language = ''] = languages
  return Object.fromEntries(messages.map(({ key, translations }) => [key, translations[language]]))
}
