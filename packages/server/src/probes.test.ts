import { expect, it } from 'vitest'
import { createReadiness, respondToProbe } from './probes.ts'

it('names the state of the storage, which does not decide, and caches it: longer if it is up', async () => {
  let time = 0
  let checks = 0
  const results: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  const failures: string[] = []
  const readiness = createReadiness(() => time)
  expect(await readiness.check()).toEqual({ reason: 'starting' })
  readiness.started({
    checkPlatform: async () => ({ isReady: true }),
    checkStorage: async () => {
      checks++
      await new Promise<void>((resolve, reject) => results.push({ resolve, reject }))
    },
    onFailure: ({ message }) => failures.push(message),
  })
  const check = async () => [(await readiness.check()).parts?.storage, checks]
  // No probe waits for the storage.
  expect([await check(), await check()]).toEqual([
    ['unknown', 1],
    ['unknown', 1],
  ])
  results[0]!.resolve()
  await expect.poll(check).toEqual(['ok', 1])
  time = 29_000
  expect(await check()).toEqual(['ok', 1])
  time = 31_000
  expect(await check()).toEqual(['ok', 2])
  results[1]!.reject(new Error('The storage is away.'))
  await expect.poll(check).toEqual(['failed', 2])
  expect(await readiness.check()).toEqual({ parts: { database: 'ok', storage: 'failed' } })
  time = 35_000
  expect(await check()).toEqual(['failed', 2])
  time = 37_000
  expect(await check()).toEqual(['failed', 3])
  results[2]!.resolve()
  await expect.poll(check).toEqual(['ok', 3])
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
    if (!response) return undefined
    const { parts, ...body } = (await response.json()) as { readonly parts?: { database: string } }
    return [response.status, { ...body, ...(parts && { database: parts.database }) }]
  }
  expect(await send('/ready')).toEqual([
    503,
    { status: 'unavailable', reason: 'database', database: 'failed' },
  ])
  isReady = true
  expect(await send('/_platform/ready')).toEqual([
    200,
    { status: 'ok', clockSkewMs: 90_000, database: 'ok' },
  ])
  readiness.stopping()
  expect(await send('/ready')).toEqual([503, { status: 'unavailable', reason: 'stopping' }])
  expect(await send('/live')).toEqual([200, { status: 'ok' }])
  expect(await send('/readyz')).toBeUndefined()
})
