import { createPlatform, type Platform } from '@servicekit/platform'
import { machineToken } from '@servicekit/testing/administrator'
import { storefront, storefrontKey } from '@servicekit/testing/projects'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventLoopCpuMs, median } from '@servicekit/testing/event-loop-cpu'
import { attacks, type GatewayBody } from './gateway-attacks.ts'

/** Maximum cost of a request, as a multiple of a plain list's cost. */
const maxRatio = 20
const maxBytes = 100_000

let platform: Platform
let administrator: string
beforeAll(async () => {
  platform = await createPlatform({ projects: [storefront], clock: 'frozen' })
  administrator = await machineToken(platform, storefrontKey)
  for (let count = 0; count < 300; count++) await costOf(plain)
})
afterAll(() => platform?.close())

const plain: GatewayBody = { query: '{ Products { items { ItemId Name } totalCount } }' }

/**
 * Measures the processor time that the event loop spends on a request. Only administrators
 * can reach all data.
 */
async function costOf(body: GatewayBody, token?: string): Promise<number> {
  const text = JSON.stringify(body)
  const before = eventLoopCpuMs()
  const response = await platform.fetch(
    new Request('http://platform.local/data/v4/gateway', {
      method: 'POST',
      headers: {
        'x-service-key': storefrontKey,
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: text,
    }),
  )
  await response.text()
  const cost = eventLoopCpuMs() - before
  expect(response.status).toBe(200)
  return cost
}

let count = 0
/** Returns the same request with a document that is not cached. */
const fresh = (body: GatewayBody): GatewayBody => ({ ...body, query: `${body.query} #${count++}` })

async function ratioOf(body: GatewayBody, runs: number): Promise<number> {
  const plains: number[] = []
  const costs: number[] = []
  for (let run = 0; run < runs; run++) {
    for (let each = 0; each < 5; each++) plains.push(await costOf(plain))
    costs.push(await costOf(fresh(body), administrator))
  }
  return median(costs) / median(plains)
}

/**
 * Returns the cost of a request in plain lists. If it seems too high, it is measured again
 * and more often; the smallest counts, because a busy machine only adds to it.
 */
async function steadyRatioOf(body: GatewayBody): Promise<number> {
  let ratio = await ratioOf(body, 1)
  for (const runs of [5, 11, 11])
    if (ratio > maxRatio) ratio = Math.min(ratio, await ratioOf(body, runs))
  return ratio
}

/**
 * Sizes just below the limits of operations, mutations, lists, aliases and repetitions, and
 * above.
 */
const sizes = [6, 20, 49, 99, 270, 480, 999, 2000, 8000]

describe('a request of at most 100 kB costs at most 20 plain lists', () => {
  it.each(Object.keys(attacks))('%s', { timeout: 120_000 }, async (name) => {
    const bodies = sizes
      .map((n) => attacks[name]!(n))
      .filter((body) => JSON.stringify(body).length <= maxBytes)
    expect(bodies.length).toBeGreaterThan(0)
    for (const body of bodies) {
      expect(await steadyRatioOf(body), body.query.slice(0, 200)).toBeLessThanOrEqual(maxRatio)
    }
  })

  it('random documents', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(document, async (query) => {
        fc.pre(query.length <= maxBytes)
        expect(await steadyRatioOf({ query })).toBeLessThanOrEqual(maxRatio)
      }),
      { numRuns: 100 },
    )
  })
})

/** Selections per type, which fragments, aliases and directives repeat. */
const typeNames = ['Query', 'OrderResult', 'Order', 'OrderLine', 'Address', '__Schema', '__Type']
const fieldsOf: Readonly<Record<string, readonly (readonly [string, string?])[]>> = {
  Query: [['Orders', 'OrderResult'], ['__schema', '__Schema'], ['__typename']],
  OrderResult: [['items', 'Order'], ['totalCount'], ['hasNextPage']],
  Order: [['ItemId'], ['Number'], ['Lines', 'OrderLine'], ['ShippingAddress', 'Address']],
  OrderLine: [['Sku'], ['Quantity'], ['UnitPrice']],
  Address: [['City'], ['Location']],
  __Schema: [
    ['types', '__Type'],
    ['queryType', '__Type'],
  ],
  __Type: [['name'], ['ofType', '__Type'], ['interfaces', '__Type'], ['possibleTypes', '__Type']],
}
const fragmentNames = typeNames.flatMap((type) => [0, 1, 2, 3].map((n) => [type, `f${type}${n}`]))

const selection = (type: string, depth: number): fc.Arbitrary<string> => {
  const field = fc
    .tuple(
      fc.constantFrom(...fieldsOf[type]!),
      fc.constantFrom('', '', '', 'a: ', 'b: '),
      fc.constantFrom('', '', '', ' @include(if: true)'),
    )
    .chain(([[name, inner], alias, directive]) =>
      inner === undefined
        ? fc.constant(`${alias}${name}${directive}`)
        : selection(inner, depth - 1).map((set) => `${alias}${name}${directive} ${set}`),
    )
  const spread = fc
    .constantFrom(...fragmentNames.filter(([on]) => on === type))
    .map(([, name]) => `...${name!}`)
  const inline =
    depth > 0 ? selection(type, depth - 1).map((set) => `... on ${type} ${set}`) : spread
  return fc
    .array(depth > 0 ? fc.oneof(field, field, spread, inline) : spread, {
      minLength: 1,
      maxLength: 6,
    })
    .chain((parts) =>
      // Repeated selections make pairwise and fragment traversals expensive.
      fc.constantFrom(1, 1, 1, 2, 10, 40).map((repeats) => {
        const text = `${parts.join(' ')} `
        return `{ ${text.repeat(Math.min(repeats, Math.ceil(maxBytes / text.length)))} }`
      }),
    )
}

const document = fc
  .tuple(
    selection('Query', 3),
    ...fragmentNames.map(([type, name]) =>
      selection(type!, 1).map((set) => `fragment ${name!} on ${type!} ${set}`),
    ),
  )
  .map((parts) => parts.join('\n'))
