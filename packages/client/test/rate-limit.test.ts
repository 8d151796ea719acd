import { createPlatform } from '@servicekit/platform'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createClient, fetchTransport } from '../src/index.ts'
import { storefront } from './storefront.ts'

// Starting a platform takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

it('reads 150 files at 120 requests a minute, without Retry-After', async () => {
  let now = Date.parse('2030-01-01T00:00:10Z')
  const platform = await createPlatform({
    projects: [storefront],
    rateLimitPerMinute: 120,
    retryAfter: false,
    clock: () => new Date(now),
  })
  onTestFinished(() => platform.close())
  const projectKey = (await platform.projectKeys())[0]!
  const statuses = new Map<number, number>()
  const client = createClient({
    baseUrl: 'http://platform.test',
    projectKey,
    transport: fetchTransport(async (request) => {
      const response = await platform.fetch(request)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      return response
    }),
    // All concurrent pauses end together.
    runtime: {
      now: () => now,
      sleep: async (ms) => {
        const untilMs = now + ms
        await new Promise((resolve) => void setImmediate(resolve))
        now = Math.max(now, untilMs)
      },
    },
  })
  const place = { language: 'de-DE', module: 'auth' }
  const files = await Promise.all(
    Array.from({ length: 150 }, () => client.localization.getFile(place)),
  )
  expect(files.filter(({ status }) => status === 'ok')).toHaveLength(150)
  expect(statuses.get(200)).toBe(150)
  expect(statuses.get(429)).toBeGreaterThanOrEqual(30)
})
