import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createPlatform } from '../src/index.ts'
import { isDeep } from '@servicekit/testing/is-deep'
import { patroniFault, startPatroni } from '@servicekit/testing/patroni'
import { project } from '@servicekit/testing/projects'

const schemas = [
  { schemaName: 'Note', schemaType: 1, querySchema: 'Notes', fields: [{ name: 'A', type: 'Int' }] },
]
const kills = isDeep ? 20 : 2

it(`keeps all acknowledged records while the primary is killed ${kills} times`, async ({
  skip,
}) => {
  const fault = await patroniFault()
  if (fault) skip(fault)
  const cluster = await startPatroni()
  onTestFinished(cluster.stop)
  await cluster.ready(true)
  const { databaseUrl } = cluster
  const open = () => createPlatform({ databaseUrl, databaseTimeoutMs: 3000, onError: () => {} })
  await using first = await open()
  await first.loadProject(project('P', { en: { m: { A: '1' } } }, { schemas }))
  await using second = await open()
  const instances = [first, second]

  const send = (instance: number, query: string, variables: object) =>
    instances[instance % instances.length]!.fetch(
      new Request('http://platform.local/data/v4/gateway', {
        method: 'POST',
        headers: { 'x-service-key': 'P' },
        body: JSON.stringify({ query, variables }),
      }),
    )
  const insert =
    'mutation ($id: String) { insertNote(input: {ItemId: $id, A: 1}) { acknowledged } }'
  const acknowledged = new Set<string>()
  const failures = new Map<string, number>()
  const end = new AbortController()
  const write = async (writer: number): Promise<void> => {
    for (let number = 0; !end.signal.aborted; number++) {
      const id = `note-${writer}-${number}`
      const response = await send(writer, insert, { id })
      const text = await response.text()
      if (response.status === 200 && text.includes('"acknowledged":true')) acknowledged.add(id)
      else {
        const failure = `${response.status} ${response.headers.get('retry-after')} ${response.status === 503 ? '' : text}`
        failures.set(failure, (failures.get(failure) ?? 0) + 1)
        await sleep(50)
      }
    }
  }
  const writers = [1, 2, 3, 4].map(write)
  onTestFinished(async () => {
    end.abort()
    await Promise.all(writers)
  })

  const outagesMs: number[] = []
  for (let round = 0; round < kills; round++) {
    const primary = await cluster.ready(true)
    const before = acknowledged.size
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + 20)
    const isNode = round % 2 === 1
    await (isNode ? cluster.killNode(primary) : cluster.killPostgres(primary))
    const killedAt = performance.now()
    await expect.poll(() => cluster.ready(false), { timeout: 120_000 }).not.toBe(primary)
    const after = acknowledged.size
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(after + 20)
    outagesMs.push(Math.round(performance.now() - killedAt))
    if (isNode) await cluster.startNode(primary)
  }
  end.abort()
  await Promise.all(writers)

  const found = new Set<string>()
  const list = `query ($page: Int) { Notes(paging: {pageNo: $page, pageSize: 100}) { items { ItemId } } }`
  for (let page = 1, items = 1; items > 0; page++) {
    const response = await send(0, list, { page })
    const { data } = (await response.json()) as {
      data: { Notes: { items: readonly { readonly ItemId: string }[] } }
    }
    for (const { ItemId } of data.Notes.items) found.add(ItemId)
    items = data.Notes.items.length
  }
  console.log(
    `${kills} kills, ${acknowledged.size} acknowledged, until writes succeed again: ${outagesMs.join(', ')} ms; ${JSON.stringify([...failures])}`,
  )
  expect([...acknowledged].filter((id) => !found.has(id))).toEqual([])
  // Nothing but 503 with Retry-After.
  expect([...failures.keys()]).toEqual(['503 1 '])
}, 1_800_000)
