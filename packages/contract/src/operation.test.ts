import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { access, defineOperation } from './operation.ts'
import type { Route } from './route.ts'

const route = {
  id: 'test.readThing',
  method: 'GET',
  path: '/things/{thingId}',
  query: ['Page', 'PageSize'],
  effect: 'read',
} as const satisfies Route
const query = z.object({ PageSize: z.string(), Page: z.string() })
const path = z.object({ thingId: z.string() })
const responses = { 200: { description: 'The thing' } }
const parts = { section: '4.2', summary: 'A thing', access: access.key, query, path, responses }

describe('defineOperation', () => {
  it('keeps the route and its parts, and adds the responses of its access rule', () => {
    const made = defineOperation(route, parts)
    expect(made).toMatchObject({ route, ...parts })
    expect(Object.keys(made.responses)).toEqual(['200', '401'])
    const guarded = defineOperation(route, { ...parts, access: access.administrator })
    expect(Object.keys(guarded.responses)).toEqual(['200', '401', '403'])
    const reported = defineOperation(route, { ...parts, denied: 'result' })
    expect(Object.keys(reported.responses)).toEqual(['200'])
  })

  it.each([
    [
      'a query parameter that the schema lacks',
      { ...parts, query: z.object({ Page: z.string() }) },
    ],
    [
      'a path parameter that the schema lacks',
      { section: '', summary: '', access: access.key, query, responses },
    ],
    ['a path parameter of another name', { ...parts, path: z.object({ id: z.string() }) }],
  ])('rejects %s', (_, wrong) => {
    expect(() => defineOperation(route, wrong)).toThrow(/^test\.readThing: the route sends \(/)
  })

  it('rejects a query schema for a route without a query', () => {
    const { query: _, ...bare } = route
    expect(() => defineOperation(bare, parts)).toThrow(
      'test.readThing: the route sends () but its query schema has (Page,PageSize)',
    )
  })

  it('rejects a body that only the route or only the schema has', () => {
    expect(() => defineOperation(route, { ...parts, body: z.object({}) })).toThrow(
      'test.readThing: unexpected body schema, because the route sends no body',
    )
    expect(() => defineOperation({ ...route, method: 'POST', body: 'json' }, parts)).toThrow(
      'test.readThing: body schema is required, because the route sends a body',
    )
  })
})
