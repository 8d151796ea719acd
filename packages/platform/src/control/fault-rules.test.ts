import { expect, it } from 'vitest'
import { createFaults } from './fault-rules.ts'

const url = (path: string): URL => new URL(path, 'http://platform.local')

it('applies the first rule that matches a request', () => {
  const rules = createFaults()
  rules.add({ path: '/uilm/v1/*', status: 500 })
  rules.add({ method: 'get', status: 429 })
  expect(rules.take('GET', url('/uilm/v1/Key/GetUilmFile?a=b'))?.status).toBe(500)
  expect(rules.take('GET', url('/data/v4/schemas'))?.status).toBe(429)
  expect(rules.take('POST', url('/data/v4/gateway'))).toBeUndefined()
})

it.each([
  ['/a', '/a', true],
  ['/a', '/a?q=1', true],
  ['/a', '/ab', false],
  ['/a.c', '/abc', false],
  ['/a*', '/a/b/c', true],
  ['/a?ModuleName=auth*', '/a?ModuleName=auth&x=1', true],
  ['/a?ModuleName=auth*', '/a', false],
  ['/*(', '/x(', true],
])('matches %s against %s: %s', (path, actual, isMatch) => {
  const rules = createFaults()
  rules.add({ path, status: 500 })
  expect(rules.take('GET', url(actual)) !== undefined).toBe(isMatch)
})

it('removes a rule after its last use', () => {
  const rules = createFaults()
  rules.add({ status: 500, times: 2 })
  rules.add({ status: 429 })
  const statuses = [1, 2, 3, 4].map(() => rules.take('GET', url('/'))?.status)
  expect(statuses).toEqual([500, 500, 429, 429])
  expect(rules.list()).toEqual([{ id: '2', status: 429 }])
})

it('lists how often a rule still applies', () => {
  const rules = createFaults()
  rules.add({ drop: true, times: 3 })
  rules.take('GET', url('/'))
  expect(rules.list()).toEqual([{ id: '1', drop: true, times: 2 }])
})

it('removes one rule, or all rules', () => {
  const rules = createFaults()
  const { id } = rules.add({ status: 500 })
  rules.add({ status: 429 })
  expect([rules.remove(id), rules.remove(id)]).toEqual([true, false])
  expect(rules.list()).toHaveLength(1)
  expect([rules.remove(), rules.list()]).toEqual([true, []])
})
