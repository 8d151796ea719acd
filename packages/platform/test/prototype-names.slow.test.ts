import { operations } from '@servicekit/contract'
import { sample } from '@servicekit/testing/is-deep'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshMembers, membersOf, oddityOf, requestOf, withMember } from './operations/requests.ts'
import { openWorld, type Sent, type World } from './operations/world.ts'

/** Names that every object inherits, including `__proto__`, which replaces its prototype. */
const names = [...Object.getOwnPropertyNames(Object.prototype), 'prototype']

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.platform.close())

/** Returns an object with an own member of each of these names. */
const named = (value: unknown): object =>
  JSON.parse(`{${names.map((name) => `"${name}":${JSON.stringify(value)}`).join()}}`) as object

/** Returns a copy of an object with more members, including `__proto__`. */
const withNames = (value: unknown, more: object): unknown => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(isObject ? value : {}),
      ...Object.getOwnPropertyDescriptors(more),
    },
  )
}

describe.each(operations.map((operation) => [operation.route.id, operation] as const))(
  '%s',
  (_id, operation) => {
    const offset = operations.indexOf(operation)
    it('accepts names of Object.prototype as keys and values', { timeout: 120_000 }, async () => {
      const sent = await requestOf(world, operation)
      const oddities: string[] = []
      const check = async (what: string, changed: Sent): Promise<void> => {
        const oddity = await oddityOf(world, operation, changed)
        if (oddity) oddities.push(`${what}: ${oddity}`)
      }
      if (operation.route.body === 'json') {
        for (const [index, path] of [[], ...membersOf(operation.body)].entries()) {
          const own = { ...(sent.body as object), ...(await freshMembers(world, operation)) }
          for (const name of sample(names, index)) {
            const at = `${path.join('.')} is ${name}`
            await check(at, { ...sent, body: withMember(own, path, name) })
          }
          for (const value of ['x', {}]) {
            const at = `${path.join('.')} holds ${JSON.stringify(value)} by these names`
            const holder = path.reduce<unknown>((at, name) => (at as never)?.[name], own)
            const body = withMember(own, path, withNames(holder, named(value)))
            await check(at, { ...sent, body })
            await check(`${at} alone`, { ...sent, body: withMember(own, path, named(value)) })
          }
        }
      }
      for (const part of ['form', 'query'] as const) {
        if (part === 'query' ? !operation.route.query : !sent.form) continue
        const known = Object.fromEntries((operation.route.query ?? []).map((name) => [name, '']))
        for (const name of sample(names, offset)) {
          for (const key in part === 'query' ? known : sent.form) {
            await check(`${key} is ${name}`, { ...sent, [part]: { ...sent[part], [key]: name } })
          }
          const more = withNames(sent[part], named('x')) as Record<string, string>
          await check(`${part} has these names`, { ...sent, [part]: more })
        }
      }
      const path = operation.route.path.indexOf('{')
      for (const name of path < 0 ? [] : sample(names, offset)) {
        const changed = operation.route.path.replace(/\{\w+\}/, name)
        await check(`the path is ${changed}`, { ...sent, path: changed })
      }
      expect(oddities).toEqual([])
    })
  },
)

it.each(sample(names, 0))(
  'accepts %s in the gateway as a field name and as a value',
  async (name) => {
    const run = async (body: object): Promise<{ errors?: { extensions: { code: string } }[] }> => {
      const response = await world.send({ path: '/data/v4/gateway', body })
      expect(response.status).toBe(200)
      return (await response.json()) as { errors?: { extensions: { code: string } }[] }
    }
    const list = `query ($where: ThingFilterInput, $order: [DynamicSortInput!], $input: DynamicQueryInput) {
    Things(where: $where, order: $order, input: $input) { items { ItemId } } }`
    const inserted =
      'mutation ($input: ThingInsertInput) { insertThing(input: $input) { acknowledged } }'
    const own = (value: unknown) => JSON.parse(`{"${name}": ${JSON.stringify(value)}}`) as object
    for (const body of [
      { query: `{ ${name} { totalCount } }` },
      { query: `{ Things { items { ${name} } } }` },
      { query: `{ Things { items { ...${name} } } }` },
      { query: `{ Things { items { ItemId @${name} } } }` },
      { query: `{ __type(name: ${name}) { name } }` },
      { query: `query A { __typename }`, operationName: name },
      { query: list, variables: { where: own({ eq: 'x' }) } },
      { query: list, variables: { where: { Name: own('x') } } },
      { query: list, variables: { order: [{ field: name }] } },
      { query: list, variables: { order: [{ field: 'Name', direction: name }] } },
      { query: list, variables: { input: { filter: JSON.stringify(own('x')) } } },
      { query: list, variables: { input: { filter: JSON.stringify({ Name: own('x') }) } } },
      { query: list, variables: { input: { sort: JSON.stringify(own(1)) } } },
      { query: list, variables: { input: { sort: JSON.stringify({ Name: name }) } } },
      { query: list, variables: { input: own('x') } },
      { query: inserted, variables: { input: withNames({ Name: 'x' }, own('x')) } },
    ]) {
      const { errors } = await run(body)
      expect(errors?.[0]?.extensions.code, JSON.stringify(body)).toBe('VALIDATION_ERROR')
    }
    expect(await run({ query: list, variables: { where: { Name: { eq: name } } } })).toEqual({
      data: { Things: { items: [] } },
    })
    const named = `query ${name} { ${name}: Things { ...${name} } } fragment ${name} on ThingResult { ${name}: pageNo }`
    expect(
      await run({
        query: `query ($${name}: Int) { Things(paging: {pageNo: $${name}, pageSize: $${name}}) { pageNo } }`,
      }),
    ).toEqual({ data: { Things: { pageNo: 1 } } })
    expect(await run({ query: list, variables: own('x') })).toHaveProperty('data.Things')
    expect(await run({ query: named })).toEqual({ data: own(own(1)) })
  },
)
