import type { Operation } from '@servicekit/contract'
import { controlOperations } from '@servicekit/contract/control'
import { onEachEngine } from '@servicekit/testing/engines'
import { readMatrix } from '@servicekit/testing/matrix-tables'
import { type Actor, type MatrixWorld, openMatrixWorld } from '@servicekit/testing/matrix-world'
import { project } from '@servicekit/testing/projects'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'

const origin = 'http://platform.local'
const rows = readMatrix('control')

/** Bodies of rows that need one: what an administrator may not do although the operation is open. */
const bodies: Readonly<Record<string, object>> = {
  'idp.updateUser, own roles': { itemId: 'ada', roles: ['admin', 'member'] },
  'idp.updateUser, a role that the caller lacks': {
    itemId: 'carol',
    roles: ['member', 'auditor'],
  },
}

/** Operations that would remove what other rows need. */
const destructive: ReadonlySet<string> = new Set(['projects.remove', 'projects.reset'])

const byId: ReadonlyMap<string, Operation> = new Map(
  controlOperations.map((operation) => [operation.route.id, operation]),
)

onEachEngine((engine) => {
  let world: MatrixWorld
  let local: Platform
  beforeAll(async () => {
    world = await openMatrixWorld(engine.open)
    local = await engine.open({ projects: [project('P', { en: { m: { A: 'a' } } })] })
    const roles = [{ slug: 'auditor' }]
    expect((await world.control('PUT', '/projects/P/identity', { roles })).ok).toBe(true)
  })

  const operationOf = (name: string): Operation => byId.get(name.split(',')[0]!)!

  /** Sends the request of a row as the caller of a column, with ids that do not exist. */
  async function send(name: string, caller: string, cell: string): Promise<Response> {
    const { route } = operationOf(name)
    const isAllowed = cell === 'yes'
    const key = isAllowed && destructive.has(route.id) ? 'none' : 'P'
    const path = route.path.replace('{project}', key).replaceAll(/\{\w+\}/g, 'none')
    const init = {
      method: route.method,
      headers: { origin, 'x-service-key': 'P' },
      ...(route.method !== 'GET' && { body: JSON.stringify(bodies[name] ?? {}) }),
    }
    if (caller === 'this machine, in development') {
      return local.fetch(new Request(`${origin}${path}`, init))
    }
    const actor: Actor = world.actors[caller]!
    return world.send(actor, path, init)
  }

  it('the table lists every control operation', () => {
    const listed = new Set(rows.map(({ name }) => name.split(',')[0]))
    expect([...listed].toSorted()).toEqual([...byId.keys()].toSorted())
    expect(Object.keys(bodies).filter((name) => !rows.some((row) => row.name === name))).toEqual([])
  })

  describe.each(rows.map((row) => [row.name, row.cells] as const))('%s', (name, cells) => {
    it.each(Object.entries(cells))('for %s: %s', async (caller, cell) => {
      // An allowed request may change data.
      const state = () => (cell === 'yes' ? undefined : world.state())
      const before = await state()
      const response = await send(name, caller, cell)
      const isRefused = response.status === 401 || response.status === 403
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      // A stream of events does not end.
      const text = isStream ? await response.body!.cancel() : await response.text()
      expect([isRefused ? String(response.status) : 'yes', text]).toEqual([cell, text])
      expect(response.status, text ?? '').toBeLessThan(500)
      expect(operationOf(name).responses, 'the status is documented').toHaveProperty(
        String(response.status),
      )
      expect(await state()).toBe(before)
    })
  })
})
