import * as graphql from 'graphql'
import { expect, it } from 'vitest'
import { readOnlyDocument } from './read-only-document.ts'

const check = (query: string, variables: Readonly<Record<string, unknown>> = {}) =>
  readOnlyDocument(graphql, { query, variables, maxRows: 50 })

it.each<[query: string, variables?: Readonly<Record<string, unknown>>]>([
  ['{ Orders(paging: {pageNo: 1, pageSize: 51}) { items { Name } } }'],
  ['{ Orders(input: {pageNo: 1, pageSize: 51}) { items { Name } } }'],
  ['{ Orders(input: {pageSize: 51}, paging: {pageNo: 1, pageSize: 1}) { items { Name } } }'],
  [
    'query ($i: DynamicQueryInput) { Orders(input: $i) { items { Name } } }',
    { i: { pageSize: 51 } },
  ],
  ['query ($n: Int) { Orders(input: {pageSize: $n}) { items { Name } } }', { n: 51 }],
  ['query ($n: Int = 51) { Orders(input: {pageSize: $n}) { items { Name } } }'],
  ['{ ...on Query { Orders(input: {pageSize: 51}) { items { Name } } } }'],
])('counts the rows of %s', (query, variables) => {
  expect(() => check(query, variables)).toThrow('The query may return 51 rows')
})

it('allows as many rows as the limit', () => {
  expect(() => check('{ Orders(input: {pageSize: 50}) { items { Name } } }')).not.toThrow()
  expect(() => check('{ a: Orders { items { Name } } b: Orders { items { Name } } }')).not.toThrow()
})
