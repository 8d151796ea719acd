import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPlatform } from '../src/index.ts'
import { startPlatform } from '../src/node.ts'
import { control } from './control-client.ts'
import { send } from './gateway-client.ts'
import { project } from '@servicekit/testing/projects'

const schemas = [
  { schemaName: 'Note', schemaType: 1, querySchema: 'Notes', fields: [{ name: 'A', type: 'Int' }] },
]

it('completes requests in flight when it is closed under load, and keeps every acknowledged write', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'servicekit-stop-'))
  const errors: string[] = []
  const started = await startPlatform({ dataDir, onError: ({ message }) => errors.push(message) })
  await started.platform.loadProject(project('P', {}, { schemas }))
  let isStopping = false
  let acknowledged = 0
  const statuses = new Map<number, number>()
  const insert = async (headers: Record<string, string> = {}) => {
    const query = 'mutation { insertNote(input: {A: 1}) { acknowledged } }'
    const response = await fetch(`${started.baseUrl}/data/v4/gateway`, {
      method: 'POST',
      headers: { 'x-service-key': 'P', 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    })
    const text = await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    const isDone = response.status === 200 && text.includes('"acknowledged":true')
    if (isDone) acknowledged++
    return { status: response.status, isDone }
  }
  const work = async (): Promise<void> => {
    for (;;) {
      try {
        await insert()
      } catch (error) {
        // After the stop, requests are rejected.
        if (isStopping) return
        throw error
      }
    }
  }
  const workers = Array.from({ length: 6 }, work)
  await expect.poll(() => acknowledged, { timeout: 20_000 }).toBeGreaterThan(20)
  const slow = Array.from({ length: 3 }, () => insert({ 'x-platform-fault': '{"delayMs":900}' }))
  // They are in flight: the platform has responded to requests that were sent after them.
  const seen = acknowledged
  await expect.poll(() => acknowledged, { timeout: 20_000 }).toBeGreaterThan(seen + 20)

  isStopping = true
  await started.close()
  await Promise.all(workers)
  expect((await Promise.all(slow)).map(({ isDone }) => isDone)).toEqual([true, true, true])
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(errors).toEqual([])

  const again = await createPlatform({ dataDir })
  const { data } = await send(again, 'P', '{ Notes { totalCount } }')
  await again.close()
  await rm(dataDir, { recursive: true, force: true })
  expect(data.Notes.totalCount).toBeGreaterThanOrEqual(acknowledged)
}, 60_000)

it('closes while a webhook is being delivered, and delivers it after the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'servicekit-stop-'))
  let isResponding = false
  const receiver = createServer((request, response) => {
    if (isResponding) response.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const open = () => createPlatform({ dataDir, outgoing: ['loopback'] })
  const platform = await open()
  await platform.loadProject(project('P', { en: { a: { ONE: '1' } } }))
  await control(platform, 'PUT', '/projects/P/webhook', {
    url: `http://127.0.0.1:${port}`,
    contentType: 'application/json',
    isDisabled: false,
    projectKey: 'P',
  })
  const arrived = once(receiver, 'request')
  await control(platform, 'PUT', '/projects/P/texts', [
    { language: 'en', module: 'a', key: 'ONE', value: '2' },
  ])
  await arrived
  // The database runs one statement after the other, so that the queue is idle after these.
  for (let i = 0; i < 3; i++) await control(platform, 'GET', '/projects/P/deliveries')
  await platform.close()

  isResponding = true
  const arrivedAgain = once(receiver, 'request')
  const again = await open()
  await arrivedAgain
  await expect
    .poll(async () => (await control(again, 'GET', '/projects/P/deliveries')).body)
    .toMatchObject([{ state: 'delivered' }])
  await again.close()
  receiver.closeAllConnections()
  receiver.close()
  await rm(dataDir, { recursive: true, force: true })
})
