import { expect } from 'vitest'
import type { OperationCases } from './operation-case.ts'
import { wrongKeys } from './project-key.ts'

const schemas = { path: '/data/v4/schemas', query: { ProjectKey: 'P', PageNo: '1', PageSize: '5' } }
const gateway = { path: '/data/v4/gateway', body: { query: '{ Things { totalCount } }' } }
const failed = { errors: [{ message: expect.any(String) as string }] }

/** Cases of section 4.5. A failure of the gateway is a 200 with `errors` (section 7). */
export const dataCases: OperationCases = {
  'data.listSchemas': [
    {
      when: 'for a page',
      status: 200,
      body: { data: { totalCount: 1, items: [{ schemaName: 'Thing' }] } },
      send: (world) => world.send(schemas),
    },
    {
      when: 'with a page before the first',
      status: 400,
      send: (world) => world.send({ ...schemas, query: { ProjectKey: 'P', PageNo: '0' } }),
    },
    ...wrongKeys(schemas),
  ],
  'data.execute': [
    {
      when: 'for a query',
      status: 200,
      body: { data: { Things: { totalCount: expect.any(Number) as number } } },
      send: (world) => world.send(gateway),
    },
    {
      when: 'for an insert',
      status: 200,
      body: { data: { insertThing: { acknowledged: true } } },
      send: (world) =>
        world.send({
          ...gateway,
          body: {
            query: 'mutation ($i: ThingInsertInput) { insertThing(input: $i) { acknowledged } }',
            variables: { i: { Name: 'n' } },
          },
        }),
    },
    {
      when: 'for an operation that fails',
      status: 200,
      body: failed,
      send: (world) =>
        world.send({
          ...gateway,
          body: { query: 'mutation { insertThing(input: {}) { acknowledged } }' },
        }),
    },
    {
      when: 'for a document with a syntax error',
      status: 200,
      body: failed,
      send: (world) => world.send({ ...gateway, body: { query: '{' } }),
    },
    {
      when: 'without a query',
      status: 400,
      send: (world) => world.send({ ...gateway, body: {} }),
    },
    ...wrongKeys(gateway),
  ],
}
