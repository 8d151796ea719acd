import { sql } from 'drizzle-orm'
import type { Adapter } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database/database.ts'
import { openDatabase } from '../src/database/open-database.ts'
import * as tables from '../src/database/tables.ts'
import { graceMs } from '../src/identity/lifetimes.ts'
import { removeExpired } from '../src/identity/sessions.ts'
import { stateAdapter } from '../src/identity/state-adapter.ts'

describe('the state of the authorization server', () => {
  let database: Database
  let make: (kind: string) => Adapter
  let projectId: number
  let now = Date.parse('2020-01-01T00:00:00Z')
  const seconds = (count: number) => (now += count * 1000)
  const clock = () => new Date(now)
  const real = () => Math.floor(Date.now() / 1000)
  beforeAll(async () => {
    database = await openDatabase({})
    const [made] = await database.unscoped
      .insert(tables.projects)
      .values({ key: 'P', name: 'P', organizationId: '', fallback: '', dialect: {} as never })
      .returning()
    projectId = made!.id
    make = stateAdapter({ database, projectId, now: clock })
  })
  afterAll(() => database.close())

  const rows = () =>
    database.scoped(projectId, async (scope) => {
      const found = await scope.execute(sql`select * from servicekit.oidc_states`)
      return found.rows
    })

  it('is found by its id, of which only a hash is stored', async () => {
    const tokens = make('AccessToken')
    await tokens.upsert('the token', { accountId: 'a', jti: 'the token', exp: real() + 60 }, 60)
    expect(await tokens.find('the token')).toMatchObject({ accountId: 'a', jti: 'the token' })
    expect(await tokens.find('another')).toBeUndefined()
    expect(await make('RefreshToken').find('the token')).toBeUndefined()
    expect(JSON.stringify(await rows())).not.toContain('the token')
  })

  it('expires by the platform’s clock, and reports times of the machine’s clock', async () => {
    const tokens = make('AccessToken')
    await tokens.upsert('short', { iat: real(), exp: real() + 60 }, 60)
    seconds(40)
    const found = (await tokens.find('short')) as { iat: number; exp: number }
    expect(found.exp - real()).toBeGreaterThanOrEqual(19)
    expect(found.exp - real()).toBeLessThanOrEqual(20)
    expect(found.exp - found.iat).toBe(60)
    seconds(20)
    expect(await tokens.find('short')).toBeUndefined()
  })

  it('can be used once, and is reported as used after the grace period', async () => {
    const tokens = make('RefreshToken')
    await tokens.upsert('once', { grantId: 'g', exp: real() + 600 }, 600)
    const uses = await Promise.allSettled([tokens.consume('once'), tokens.consume('once')])
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await tokens.find('once')).not.toHaveProperty('consumed')
    now += graceMs + 1
    expect(await tokens.find('once')).toHaveProperty('consumed')
    await make('AccessToken').revokeByGrantId('g')
    expect(await tokens.find('once')).toBeUndefined()
  })

  it('reports a code as used at once', async () => {
    const codes = make('AuthorizationCode')
    await codes.upsert('code', { exp: real() + 600 }, 600)
    await codes.consume('code')
    expect(await codes.find('code')).toHaveProperty('consumed')
  })

  it('finds a session by its uid, with its id', async () => {
    const sessions = make('Session')
    await sessions.upsert('sid', { uid: 'u', jti: 'sid', exp: real() + 600 }, 600)
    expect(await sessions.findByUid('u')).toMatchObject({ jti: 'sid' })
    await sessions.destroy('sid')
    expect(await sessions.findByUid('u')).toBeUndefined()
  })

  it('is removed when it has expired', async () => {
    await make('AccessToken').upsert('late', { exp: real() + 600 }, 600)
    seconds(601)
    await make('AccessToken').upsert('fresh', { exp: real() + 600 }, 600)
    await database.scoped(projectId, (tables) => removeExpired(tables, clock()))
    expect(await rows()).toHaveLength(1)
  })
})
