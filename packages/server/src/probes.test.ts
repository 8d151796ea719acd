import { expect, it } from 'vitest'
import { createReadiness, respondToProbe } from './probes.ts'

it('caches the check of the storage: longer if it succeeds', async () => {
  let time = 0
  let checks = 0
  let error: Error | undefined
  const failures: string[] = []
  const readiness = createReadiness(() => time)
  expect(await readiness.check()).toEqual({ reason: 'starting' })
  readiness.started({
    checkPlatform: async () => ({ isReady: true }),
    checkStorage: async () => {
      checks++
      if (error) throw error
    },
    onFailure: ({ message }) => failures.push(message),
  })
  await Promise.all([readiness.check(), readiness.check()])
  time = 29_000
  expect([await readiness.check(), checks]).toEqual([{}, 1])
  error = new Error('The storage is away.')
  time = 31_000
  expect([await readiness.check(), checks]).toEqual([{ reason: 'storage' }, 2])
  time = 35_000
  expect([await readiness.check(), checks]).toEqual([{ reason: 'storage' }, 2])
  error = undefined
  time = 37_000
  expect([await readiness.check(), checks]).toEqual([{}, 3])
  expect(failures).toEqual(['The storage is away.'])
})

it('is not ready while it stops or the database rejects writes, and always alive', async () => {
  const readiness = createReadiness()
  let isReady = false
  readiness.started({
    checkPlatform: async () => ({ isReady, clockSkewMs: 90_000 }),
    checkStorage: async () => {},
    onFailure: () => {},
  })
  const send = async (path: string) => {
    const response = await respondToProbe(new Request(`http://a.example${path}`), readiness)
    return response && [response.status, await response.json()]
  }
  expect(await send('/ready')).toEqual([503, { status: 'unavailable', reason: 'database' }])
  isReady = true
  expect(await send('/_platform/ready')).toEqual([200, { status: 'ok', clockSkewMs: 90_000 }])
  readiness.stopping()
  expect(await send('/ready')).toEqual([503, { status: 'unavailable', reason: 'stopping' }])
  expect(await send('/live')).toEqual([200, { status: 'ok' }])
  expect(await send('/readyz')).toBeUndefined()
})
