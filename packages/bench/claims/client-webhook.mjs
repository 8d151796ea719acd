import { runContender } from '../lib/run-contender.mjs'
import { versionOf } from '../lib/peers.mjs'

/**
 * CPU time of handling one webhook of 0.5 kB: comparing its secret in constant time,
 * parsing its body, reading its event and calling the handler for the kind of event. Every
 * event is new, so that deduplication does not save any work.
 *
 * Ours is the whole handler of `receive`, including its response and its deduplication of
 * events: once with a body that a framework has read as text (`client-webhook`), as all
 * peers get it, and once from a Fetch Request to a Response (`client-webhook-fetch`). No
 * network is involved. The service of this toolkit sends the secret itself in a header and
 * signs nothing (section 6). The peers compute an HMAC of the body, which is most of their
 * time, so their figures show the cost for their users rather than which program is better. The
 * floor shows our overhead: the same check written by hand with `timingSafeEqual` of
 * node:crypto and `JSON.parse`.
 */
const checks = { text: 200_000, fetch: 40_000 }
const base = { figure: 'microseconds', unit: 'µs', ours: 'servicekit' }
const peers = ['standardwebhooks', 'stripe']

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'CPU time to handle a webhook of 0.5 kB',
  claims: [
    {
      claim: 'client-webhook',
      ...base,
      peer: 'floor',
      peerName: 'node:crypto and JSON.parse only',
      goal: { maxRatio: 2 },
    },
    {
      claim: 'client-webhook-fetch',
      ...base,
      ours: 'servicekit fetch',
      peer: 'floor fetch',
      peerName: "the same with Node's Request and Response",
      goal: { maxRatio: 1.25 },
    },
    ...peers.map((peer) => ({
      claim: `client-webhook-${peer}`,
      ...base,
      peer,
      peerName: `${peer} ${versionOf(peer)}`,
      goal: { maxRatio: 0.8 },
    })),
  ],
  async prepare() {
    // More ids than a receiver stores, so that a repeated id counts as new, and a divisor of
    // both numbers of checks.
    const ids = Array.from(
      { length: 2000 },
      (_, index) => `c0ffee00-0000-4000-8000-${index + 1e11}`,
    )
    const input = { bodies: ids.map((id) => bodyOf(id)), ids }
    /** @param {string} receiver */
    const contender = (receiver) => async () => {
      const count = receiver.endsWith('fetch') ? checks.fetch : checks.text
      const { result } = await runContender('client-webhook', { ...input, receiver, checks: count })
      return /** @type {import('../lib/claim.mjs').Sample} */ (result)
    }
    return Object.fromEntries(
      ['servicekit', 'servicekit fetch', 'floor', 'floor fetch', ...peers].map((receiver) => [
        receiver,
        contender(receiver),
      ]),
    )
  },
}

/** Returns an event as the service sends it, padded to 0.5 kB. @param {string} id */
function bodyOf(id) {
  const event = {
    TranslateAllEvent: {
      ModuleId: null,
      MessageCoRelationId: id,
      ProjectKey: 'P0123456789abcdef',
      DefaultLanguage: 'en-US',
      Languages: Array.from({ length: 36 }, (_, index) => `l${index}-XX`),
    },
    Response: true,
  }
  const body = JSON.stringify(event)
  if (body.length < 450 || body.length > 550)
    throw new Error(`The event has ${body.length} bytes instead of about 500`)
  return body
}
