import { runContender } from '../lib/child.mjs'
import { versionOf } from '../lib/peers.mjs'

/**
 * CPU time of one webhook of 0.5 kB: its secret compared in constant time, its body
 * parsed, its event read and handed to the handler of its kind. Every event is a new
 * one, so that what is remembered of earlier ones does not spare the work.
 *
 * Ours is the whole handler of `receive`, its answer and its memory of events included,
 * once with a body that a framework has read as text (`client-webhook`), as all peers
 * get it, and once from a Fetch Request to a Response (`client-webhook-fetch`). No
 * network is part of any of it. The service of this toolkit sends the secret itself in a
 * header and signs nothing (section 6): the peers compute an HMAC over the body, which
 * is most of their time, and so say what their users pay rather than who is the better
 * program. What ours costs beyond what must be is said by the floor, the same check
 * written by hand with `timingSafeEqual` of node:crypto and `JSON.parse`.
 */
const checks = { text: 200_000, fetch: 40_000 }
const usual = { figure: 'microseconds', unit: 'µs', ours: 'servicekit' }
const peers = ['standardwebhooks', 'stripe']

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'CPU time of checking a webhook of 0.5 kB',
  claims: [
    {
      claim: 'client-webhook',
      ...usual,
      peer: 'floor',
      peerName: 'node:crypto and JSON.parse alone',
      goal: { maxRatio: 2 },
    },
    {
      claim: 'client-webhook-fetch',
      ...usual,
      ours: 'servicekit fetch',
      peer: 'floor fetch',
      peerName: 'the same, and what Request and Response of Node take',
      goal: { maxRatio: 1.25 },
    },
    ...peers.map((peer) => ({
      claim: `client-webhook-${peer}`,
      ...usual,
      peer,
      peerName: `${peer} ${versionOf(peer)}`,
      goal: { maxRatio: 0.8 },
    })),
  ],
  async prepare() {
    // More than a receiver remembers, and a number that divides those of all checks: one that
    // came in the last round but one is new again.
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

/** An event as the service sends it, filled up to 0.5 kB. @param {string} id */
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
  if (body.length < 450 || body.length > 550) throw new Error(`${body.length} bytes, and not 500`)
  return body
}
