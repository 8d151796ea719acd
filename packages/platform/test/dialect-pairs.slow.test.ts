import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { dialectMembers, type Dialect } from '../src/projects/dialect.ts'
import { control } from '@servicekit/testing/people'
import { get, project } from '@servicekit/testing/projects'

/** Every choice of a member that is not its default, as `[name, value]`. */
const choices = Object.entries(dialectMembers).flatMap(([name, { options }]) =>
  options.slice(1).map((value) => [name, value] as const),
)
const pairs = choices.flatMap(([name, value], index) =>
  choices
    .slice(index + 1)
    .filter(([other]) => other !== name)
    .map(([other, otherValue]) => ({ [name]: value, [other]: otherValue })),
)
const file = { ModuleName: 'm', ProjectKey: 'P' }
const requests = [
  ['/uilm/v1/Key/GetUilmFile', { ...file, Language: 'xx' }],
  ['/uilm/v1/Key/GetUilmFile', { ...file, Language: 'key' }],
  ['/uilm/v1/Key/GetUilmFile', { ...file, Language: 'en', ModuleName: 'none' }],
] as const

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({
    projects: [project('P', { en: { m: { 'a.b': 'x', c: '' } } })],
  })
})
afterAll(() => platform.close())

it('responds to a translation file in every pair of dialect members without an error', async () => {
  expect(pairs.length).toBeGreaterThan(300)
  const defaults = Object.fromEntries(
    Object.entries(dialectMembers).map(([name, { options }]) => [name, options[0]]),
  ) as Dialect
  const failed: unknown[] = []
  const concerned = pairs.filter((pair) =>
    Object.keys(pair).some((name) =>
      ['unknownFile', 'missingTranslation', 'keyFile', 'etag'].includes(name),
    ),
  )
  for (const pair of concerned) {
    await control(platform, 'P', 'PUT', '/dialect', { ...defaults, ...pair })
    for (const [path, query] of requests) {
      const { status } = await get(platform, path, query, { key: 'P' })
      if (status !== 200 && status !== 400) failed.push([pair, query, status])
    }
  }
  expect(failed).toEqual([])
})
