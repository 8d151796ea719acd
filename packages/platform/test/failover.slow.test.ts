import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createPlatform } from '../src/index.ts'
import { postgres15Fault, startPostgres15 } from '@servicekit/testing/debian-postgres'
import { get, project } from '@servicekit/testing/projects'
import { startTcpProxy } from '@servicekit/testing/tcp-proxy'

const schemas = [
  { schemaName: 'Note', schemaType: 1, querySchema: 'Notes', fields: [{ name: 'A', type: 'Int' }] },
]
const limitMs = 1000

it('continues on a promoted replica with all acknowledged records', async ({ skip }) => {
  const fault = await postgres15Fault()
  if (fault) skip(fault)
  // A commit is acknowledged when the replica has it.
  const primary = await startPostgres15({ settings: ['synchronous_standby_names=*'] })
  onTestFinished(primary.stop)
  const replica = await startPostgres15({ replicaOf: primary.port })
  onTestFinished(replica.stop)
  const proxy = await startTcpProxy(primary.port)
  onTestFinished(proxy.close)
  await using platform = await createPlatform({
    databaseUrl: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
    databaseTimeoutMs: limitMs,
    onError: () => {},
  })
  await platform.loadProject(project('P', { en: { m: { A: '1' } } }, { schemas }))

  const send = async (query: string, variables: object) => {
    const response = await platform.fetch(
      new Request('http://platform.local/data/v4/gateway', {
        method: 'POST',
        headers: { 'x-service-key': 'P' },
        body: JSON.stringify({ query, variables }),
      }),
    )
    return (await response.json()) as {
      readonly data?: {
        readonly insertNote?: { readonly acknowledged: boolean } | null
        readonly Notes?: { readonly items: readonly { readonly ItemId: string }[] }
      } | null
    }
  }
  const acknowledged: string[] = []
  const end = new AbortController()
  let slowestMs = 0
  const write = async (writer: number): Promise<void> => {
    const insert =
      'mutation ($id: String) { insertNote(input: {ItemId: $id, A: 1}) { acknowledged } }'
    for (let number = 0; !end.signal.aborted; number++) {
      const id = `note-${writer}-${number}`
      const start = performance.now()
      const { data } = await send(insert, { id })
      slowestMs = Math.max(slowestMs, performance.now() - start)
      if (data?.insertNote?.acknowledged) acknowledged.push(id)
      else await sleep(20)
    }
  }
  const writers = [1, 2, 3, 4].map(write)
  const reach = (count: number) =>
    expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
  const languages = () =>
    get(platform, '/localization/v4/Language/Gets', { ProjectKey: 'P' }, { key: 'P' })

  await reach(40)
  await primary.kill()
  await expect.poll(async () => (await languages()).status, { timeout: 20_000 }).toBe(503)
  expect((await languages()).headers.get('retry-after')).toBe('1')
  const beforeFailover = acknowledged.length
  await replica.promote()
  proxy.setTarget(replica.port)
  await reach(beforeFailover + 40)
  end.abort()
  await Promise.all(writers)
  expect((await languages()).status).toBe(200)
  // A bound for a busy machine; the limit is for each statement.
  expect(slowestMs).toBeLessThan(limitMs * 20)

  const found = new Set<string>()
  for (let page = 1, items = 1; items > 0; page++) {
    const list = `query ($page: Int) { Notes(paging: {pageNo: $page, pageSize: 100}) { items { ItemId } } }`
    const { data } = await send(list, { page })
    for (const { ItemId } of data!.Notes!.items) found.add(ItemId)
    items = data!.Notes!.items.length
  }
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
}, 300_000)
