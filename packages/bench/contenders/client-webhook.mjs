import { timingSafeEqual } from 'node:crypto'

const headerKey = 'x-servicekit-secret'
const secret = '5f0d3c1e9a7b4826bd13c7e0a4f86259'
const newSecret = () => `whsec_${Buffer.from(secret).toString('base64')}`

/**
 * Checks of each receiver. A check takes a body with its headers and returns the id of the
 * event in it.
 *
 * @typedef {{ body: string, headers: Readonly<Record<string, string>> }} Delivery
 * @typedef {(delivery: Delivery) => string | Promise<string>} Check
 * @type {Readonly<Record<string, (bodies: readonly string[]) => Promise<{ deliveries: readonly Delivery[], check: Check }>>>}
 */
const receivers = {
  async servicekit(bodies) {
    const { hook, lastId } = await ourReceiver()
    return {
      deliveries: bodies.map((body) => withSecret(body)),
      check: async ({ body, headers }) => {
        const response = { statusCode: 0, end: () => undefined }
        await hook(/** @type {any} */ ({ method: 'POST', headers, body }), response)
        if (response.statusCode !== 200)
          throw new Error(`The receiver responded with ${response.statusCode}`)
        return lastId()
      },
    }
  },
  async 'servicekit fetch'(bodies) {
    const { hook, lastId } = await ourReceiver()
    return {
      deliveries: bodies.map((body) => withSecret(body)),
      check: async (delivery) => {
        const response = await hook(requestOf(delivery))
        if (response.status !== 200)
          throw new Error(`The receiver responded with ${response.status}`)
        return lastId()
      },
    }
  },
  /** Does the same check by hand, as the lower bound for Node and JavaScript. */
  async floor(bodies) {
    return {
      deliveries: bodies.map((body) => withSecret(body)),
      check: ({ body, headers }) => {
        assertSecret(headers[headerKey])
        return JSON.parse(body).TranslateAllEvent.MessageCoRelationId
      },
    }
  },
  async 'floor fetch'(bodies) {
    return {
      deliveries: bodies.map((body) => withSecret(body)),
      check: async (delivery) => {
        const request = requestOf(delivery)
        assertSecret(request.headers.get(headerKey))
        const event = /** @type {any} */ (await request.json())
        const response = new Response('{"ok":true}', { status: 200 })
        if (response.status !== 200) throw new Error('The response is not ok')
        return event.TranslateAllEvent.MessageCoRelationId
      },
    }
  },
  async standardwebhooks(bodies) {
    const { Webhook } = await import('standardwebhooks')
    const webhook = new Webhook(newSecret())
    const now = new Date()
    return {
      deliveries: bodies.map((body, index) => ({
        body,
        headers: {
          'webhook-id': `msg_${index}`,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': webhook.sign(`msg_${index}`, now, body),
        },
      })),
      check: ({ body, headers }) =>
        /** @type {any} */ (webhook.verify(body, headers)).TranslateAllEvent.MessageCoRelationId,
    }
  },
  async stripe(bodies) {
    const { default: Stripe } = await import('stripe')
    const { webhooks } = new Stripe('sk_test_0')
    const key = newSecret()
    return {
      deliveries: bodies.map((payload) => ({
        body: payload,
        headers: {
          'stripe-signature': webhooks.generateTestHeaderString({ payload, secret: key }),
        },
      })),
      check: ({ body, headers }) => {
        const event = webhooks.constructEvent(body, headers['stripe-signature'] ?? '', key)
        return /** @type {any} */ (event).TranslateAllEvent.MessageCoRelationId
      },
    }
  },
}

/** Creates our receiver, and a function that returns the id of the last event. */
async function ourReceiver() {
  const { receive } = await import('@servicekit/client/webhooks')
  let id = ''
  const hook = receive(
    { secret, headerKey },
    {
      TranslateAllEvent: (event) => void (id = String(event.TranslateAllEvent.MessageCoRelationId)),
    },
  )
  return { hook, lastId: () => id }
}

const expected = Buffer.from(secret)

/** @param {string | null | undefined} value */
function assertSecret(value) {
  const received = Buffer.from(value ?? '')
  if (received.length !== expected.length || !timingSafeEqual(received, expected))
    throw new Error('401')
}

/** @param {string} body @returns {Delivery} */
const withSecret = (body) => ({
  body,
  headers: {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    [headerKey]: secret,
  },
})

/** @param {Delivery} delivery */
const requestOf = ({ body, headers }) =>
  new Request('http://127.0.0.1/hook', { method: 'POST', headers, body })

/**
 * Checks deliveries sequentially, and measures the CPU time of this process alone.
 *
 * @param {{ receiver: string, bodies: readonly string[], ids: readonly string[], checks: number }} input
 */
export async function prepare({ receiver, bodies, ids, checks }) {
  const { deliveries, check } = await /** @type {any} */ (receivers[receiver])(bodies)
  /** @param {number} count */
  const run = async (count) => {
    for (let index = 0; index < count; index++) {
      const at = index % deliveries.length
      const id = await check(deliveries[at])
      if (id !== ids[at]) throw new Error(`${receiver} returned ${id} instead of ${ids[at]}`)
    }
  }
  await run(checks / 4)
  return async () => {
    const before = process.cpuUsage()
    await run(checks)
    const { user, system } = process.cpuUsage(before)
    return { microseconds: (user + system) / checks }
  }
}
