import { fileURLToPath } from 'node:url'
import { fetchTransport } from '@servicekit/client'
import { createPlatform } from '@servicekit/platform'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openProject } from '../src/index.ts'
import { temporaryFolder } from '@servicekit/testing/folder'

// Starts a platform, which takes long on busy machines.
vi.setConfig({ testTimeout: 120_000 })

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))

it('pulls four times in a row within a limit of 120 per minute without Retry-After', async () => {
  let now = Date.parse('2030-01-01T00:00:10Z')
  const platform = await createPlatform({
    projects: [storefront],
    rateLimitPerMinute: 120,
    retryAfter: false,
    clock: () => new Date(now),
  })
  onTestFinished(() => platform.close())
  const startMs = now
  let refused = 0
  const pauses: number[] = []
  for (let run = 0; run < 4; run++) {
    const project = openProject(
      {
        root: await temporaryFolder(),
        baseUrl: 'http://platform.test',
        projectKey: (await platform.projectKeys())[0]!,
      },
      {
        environment: {},
        clock: {
          now: () => now,
          sleep: async (ms) => {
            const untilMs = now + ms
            await new Promise((resolve) => void setImmediate(resolve))
            now = Math.max(now, untilMs)
          },
        },
        transport: fetchTransport(async (request) => {
          const response = await platform.fetch(request)
          if (response.status === 429) refused++
          return response
        }),
      },
    )
    const report = await project.pull({
      onProgress: ({ pauseMs, total }) => {
        if (pauseMs === undefined) return
        pauses.push(pauseMs)
        expect([0, 48]).toContain(total)
      },
    })
    expect(report).toMatchObject({ files: 48 })
  }
  expect(refused).toBeGreaterThan(0)
  expect(pauses.length).toBeGreaterThan(0)
  expect(now - startMs).toBeLessThan(180_000)
})
