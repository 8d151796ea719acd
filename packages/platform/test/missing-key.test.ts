import { type Operation, operations } from '@servicekit/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { project } from '@servicekit/testing/projects'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({ projects: [project('P')] })
})
afterAll(() => platform.close())

/** Calls an operation with all query parameters but otherwise invalid input. */
function send({ route }: Operation, key: string | undefined, parameter: string | undefined) {
  const url = new URL(route.path.replaceAll(/\{\w+\}/g, 'x'), 'http://platform.local')
  for (const name of route.query ?? []) {
    const isKey = name === 'ProjectKey' || name === 'x-service-key' || name === 'project_key'
    const value = isKey ? parameter : name === 'state' ? `${parameter ?? ''}.x` : '1'
    if (value !== undefined) url.searchParams.set(name, value)
  }
  const form = 'application/x-www-form-urlencoded'
  return platform.fetch(
    new Request(url, {
      method: route.method,
      headers: {
        ...(key === undefined ? {} : { 'x-service-key': key }),
        ...(route.body && { 'content-type': route.body === 'form' ? form : 'application/json' }),
      },
      ...(route.body && { body: route.body === 'form' ? 'grant_type=x' : '{}' }),
    }),
  )
}

it.each([
  ['no key at all', undefined, undefined],
  ['no header', undefined, 'P'],
  ['an unknown key', 'unknown', 'unknown'],
  ['an unknown key in the header', 'unknown', 'P'],
  ['an unknown parameter', 'P', 'unknown'],
])('documents every response to %s', async (_, key, parameter) => {
  const undocumented: unknown[] = []
  for (const operation of operations) {
    const response = await send(operation, key, parameter)
    const text = await response.text()
    const answer = operation.responses[response.status]
    const isKnown = answer?.schema?.safeParse(JSON.parse(text)).success ?? answer !== undefined
    if (!isKnown) undocumented.push([operation.route.id, response.status, text.slice(0, 120)])
  }
  expect(undocumented).toEqual([])
})
