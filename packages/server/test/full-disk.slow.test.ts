import { freePort } from '@servicekit/testing/free-port'
import { storefront, storefrontKey } from '@servicekit/testing/projects'
import { fillDisk, mountSmallDisk } from '@servicekit/testing/small-disk'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../src/run.ts'

it('ends when the embedded database has stopped on a full disk, and logs why', async ({ skip }) => {
  const folder = mountSmallDisk() ?? skip('file systems cannot be mounted here')
  const lines: string[] = []
  const port = await freePort()
  const controlToken = 'the token of the control routes'
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const ended = serve({
    flags: new Map(),
    env: {
      SERVICEKIT_ALLOW: 'embedded-database,local-files,http',
      SERVICEKIT_PUBLIC_URL: 'http://localhost',
      SERVICEKIT_HOST: '127.0.0.1',
      SERVICEKIT_PORT: String(port),
      SERVICEKIT_DATA_DIR: join(folder, 'data'),
      SERVICEKIT_PROJECTS: storefront,
      SERVICEKIT_STORAGE_STRATEGY: 'Local',
      SERVICEKIT_CONTROL_TOKEN: controlToken,
      SERVICEKIT_SHUTDOWN_DELAY_MS: '0',
    },
    folder,
    stdout: (line) => lines.push(line),
    signal: stopping.signal,
  })
  const send = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${controlToken}` }
    const init = { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${port}/_platform/projects${path}`, init)
    return response.status
  }
  await expect.poll(() => lines.join(''), { timeout: 60_000 }).toContain('"event":"started"')
  const { makeRoom } = fillDisk(folder)
  for (let count = 0; count < 2000; count++) {
    const value = randomBytes(1000).toString('hex')
    const drafts = [{ language: 'en-US', module: 'auth', key: 'K', value }]
    // The server may have ended.
    const status = await send('PUT', `/${storefrontKey}/drafts`, drafts).catch(() => undefined)
    if (status === 503) makeRoom()
    if (lines.some((line) => line.includes('"event":"stopped"'))) break
  }
  expect(await ended).toBe(false)
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(entries.filter(({ event }) => event === 'database')).toEqual([
    expect.objectContaining({ level: 'error', message: expect.stringContaining('No space left') }),
  ])
}, 120_000)
