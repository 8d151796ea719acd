import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { resolveOptions } from '../resolve-options.ts'
import type { AppEnv } from './app-env.ts'
import { rateLimit } from './rate-limiter.ts'

// Limits with a database are tested in `test/attempts.slow.test.ts` and `test/instances.postgres.test.ts`.
it('allows requests and reports the error while the database is unavailable', async () => {
  const errors: string[] = []
  const options = resolveOptions({ onError: ({ message }) => errors.push(message) })
  const away = async () => {
    throw new Error('away')
  }
  const app = new Hono<AppEnv>().use(rateLimit('requests', 1, away, options))
  app.get('/', (c) => c.text('ok'))
  const statuses = [(await app.request('/')).status, (await app.request('/')).status]
  expect([statuses, errors]).toEqual([
    [200, 200],
    ['away', 'away'],
  ])
})

it('refuses suggestions while the database is unavailable', async () => {
  const away = async () => {
    throw new Error('away')
  }
  const app = new Hono<AppEnv>().use(rateLimit('suggestions', 1, away, resolveOptions({})))
  app.get('/', (c) => c.text('ok'))
  app.onError(({ message }, c) => c.text(message, 503))
  expect((await app.request('/')).status).toBe(503)
})
