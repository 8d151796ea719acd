import { createPlatform, type Platform } from '@servicekit/platform'
import { readMatrix } from '@servicekit/testing/matrix-tables'
import { type Actor, type MatrixWorld, openMatrixWorld } from '@servicekit/testing/matrix-world'
import { project } from '@servicekit/testing/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/server/forwarded-routes.ts'
import { withConsole } from '../src/server/index.ts'

const origin = 'http://platform.local'
const rows = readMatrix('console')

/** Bodies of rows that need one: what an administrator may not do although the route is open. */
const bodies: Readonly<Record<string, object>> = {
  'POST /interface/idp/v1/Iam/Update, own roles': { itemId: 'ada', roles: ['admin', 'member'] },
  'POST /interface/idp/v1/Iam/Update, a role that the caller lacks': {
    itemId: 'carol',
    roles: ['member', 'auditor'],
  },
}

let world: MatrixWorld
let local: Platform
beforeAll(async () => {
  world = await openMatrixWorld(async (options) => {
    const platform = await createPlatform(options)
    const { controlToken } = options
    return { ...platform, fetch: withConsole(platform, { controlToken }) }
  })
  local = await createPlatform({ projects: [project('P', { en: { m: { A: 'a' } } })] })
  const roles = [{ slug: 'auditor' }]
  expect((await world.control('PUT', '/projects/P/identity', { roles })).ok).toBe(true)
})
afterAll(async () => {
  await world?.platform.close()
  await local?.close()
})

/** Returns the request of a row: its route with an id that does not exist. */
function requestOf(name: string) {
  const [method = '', path = ''] = name.split(',')[0]!.split(' ')
  const content = JSON.stringify(bodies[name] ?? {})
  return {
    path: path.replace(':id', 'none'),
    init: {
      method,
      headers: { origin, 'x-service-key': 'P' },
      ...(method !== 'GET' && { body: content }),
    },
  }
}

/** Sends the request of a row as the caller of a column. */
async function send(name: string, caller: string): Promise<Response> {
  const { path, init } = requestOf(name)
  const below = `/console/api/projects/P${path}`
  if (caller === 'this machine, in development') {
    const handle = withConsole(local, { allowThisMachine: true })
    return handle(new Request(`${origin}${below}`, init))
  }
  if (!caller.startsWith('control route, ')) return world.send(world.actors[caller]!, below, init)
  const actor: Actor = world.actors[caller.slice('control route, '.length)]!
  const control = /^\/(?:clock|faults|projects|requests)\b/.test(path) ? path : `/projects/P${path}`
  return world.send(actor, `/_platform${control}`, init)
}

it('the table of the console lists every route that it forwards', () => {
  const listed = rows.map(({ name }) => name.split(',')[0])
  expect([...new Set(listed)].toSorted()).toEqual(Object.values(routes).flat().toSorted())
  expect(Object.keys(bodies).filter((name) => !rows.some((row) => row.name === name))).toEqual([])
})

describe.each(rows.map((row) => [row.name, row.cells] as const))('%s', (name, cells) => {
  it.each(Object.entries(cells))('for %s: %s', async (caller, cell) => {
    // An allowed request may change data.
    const state = () => (cell === 'yes' ? undefined : world.state())
    const before = await state()
    const response = await send(name, caller)
    const isRefused = response.status === 401 || response.status === 403
    const text = await response.text()
    expect([isRefused ? String(response.status) : 'yes', text]).toEqual([cell, text])
    expect(response.status, text).toBeLessThan(500)
    expect(await state()).toBe(before)
  })
})
