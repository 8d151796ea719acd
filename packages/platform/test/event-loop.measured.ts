import { operations } from '@servicekit/contract'
import { onPostgres } from '@servicekit/testing/engines'
import { control, origin } from '@servicekit/testing/people'
import { eventLoopCpuMs } from '@servicekit/testing/event-loop-cpu'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allCases } from './operations/all-cases.ts'
import { openWorld, type Sent, type World } from './operations/world.ts'
import { fillDatabase } from './plans/large-data.ts'
import { controlReads, moreRequests } from './plans/more-requests.ts'

/** Processor time in ms for which one request may keep all others waiting. */
const maxTurnMs = 50

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Requests with the largest pages and inputs that are documented. */
const largest: Readonly<Record<string, (world: World) => Promise<Response>>> = {
  'a page of 1,000 records': sending({
    path: '/data/v4/gateway',
    body: {
      query:
        '{ Things(paging: { pageNo: 1, pageSize: 1000 }) { items { ItemId Name CreatedDate } totalCount } }',
    },
  }),
  '1,000 users': sending({ path: '/iam/v4/iam/users', body: { page: 0, pageSize: 1000 } }, true),
  '1,000 roles': sending({ path: '/iam/v4/iam/roles', body: { page: 0, pageSize: 1000 } }, true),
  'a file of 20,000 messages': sending({
    path: '/uilm/v1/Key/GetUilmFile',
    query: { Language: 'en', ModuleName: 'large', ProjectKey: 'P' },
  }),
  '1,000 keys': controlling('GET', '/keys?page=1&pageSize=1000'),
  'search in 20,000 keys': controlling('GET', '/keys?page=1&pageSize=1000&search=text'),
  '1,000 changes': controlling('GET', '/history?limit=1000'),
  'an export of the project': controlling('GET', '/export'),
  '20,000 texts': controlling(
    'PUT',
    '/texts',
    times(20_000, (n) => ({ module: 'large', key: `KEY_${n}`, language: 'en', value: `b ${n}` })),
  ),
  '5,000 drafts': controlling(
    'PUT',
    '/drafts',
    times(5000, (n) => ({ module: 'large', key: `KEY_${n}`, language: 'de', value: `c ${n}` })),
  ),
  'an import of 20,000 drafts': controlling('POST', '/imports', {
    drafts: times(20_000, (n) => ({
      module: 'large',
      key: `KEY_${n}`,
      language: 'fr',
      value: `c ${n}`,
    })),
  }),
  '100,000 records': controlling('POST', '/records/Thing/import', {
    records: times(100_000, (n) => ({ Name: `imported ${n}` })),
  }),
  'the preview of a publication of all drafts': controlling('POST', '/publish/preview', {}),
  'the publication of all drafts': controlling('POST', '/publish', { reason: 'measured' }),
}

function sending(sent: Sent, isPerson = false): (world: World) => Promise<Response> {
  return (world) => world.send({ ...sent, ...(isPerson && { by: world.admin }) })
}
function controlling(method: string, path: string, body?: unknown) {
  // The time of `JSON.stringify` is not the platform's.
  const text = body === undefined ? null : JSON.stringify(body)
  return (world: World): Promise<Response> =>
    world.platform.fetch(
      new Request(`${origin}/_platform/projects/P${path}`, { method, body: text }),
    )
}

onPostgres((engine) => {
  let world: World
  const turns: (readonly [name: string, ms: number])[] = []

  beforeAll(async () => {
    const { databaseUrl } = (await engine.location()) as { databaseUrl: string }
    world = await openWorld({ databaseUrl })
    await fillDatabase(databaseUrl, ['P'], { languages: 10, parts: 1 })
    await control(world.platform, 'P', 'POST', '/modules', { moduleName: 'large' })
    const texts = times(20_000, (n) => ({
      module: 'large',
      key: `KEY_${n}`,
      language: 'en',
      value: `a ${n}`,
    }))
    const saved = await control(world.platform, 'P', 'PUT', '/texts', texts)
    expect(saved.status, await saved.text()).toBe(200)
  }, 300_000)
  afterAll(() => {
    const rows = turns.toSorted(([, a], [, b]) => b - a).slice(0, 25)
    console.log(rows.map(([name, ms]) => `${ms.toFixed(0).padStart(6)} ms  ${name}`).join('\n'))
    return world?.platform.close()
  })

  /**
   * Sends a request, and returns the longest processor time in ms that this thread spent on it
   * without a turn for others. Time of other processes does not count.
   */
  async function longestTurnOf(name: string, send: () => Promise<Response>): Promise<number> {
    let longest = 0
    let isDone = false
    let last = eventLoopCpuMs()
    const measure = (): void => {
      const now = eventLoopCpuMs()
      longest = Math.max(longest, now - last)
      last = now
      if (!isDone) setImmediate(measure)
    }
    measure()
    const response = await send()
    let bytes = 0
    for await (const part of response.body ?? []) bytes += part.length
    isDone = true
    measure()
    turns.push([`${name} (${response.status}, ${bytes} B)`, longest])
    expect(response.status).toBeLessThan(400)
    return longest
  }

  const requests: (readonly [string, (world: World) => Promise<Response>])[] = [
    ...operations.flatMap(({ route: { id } }) =>
      allCases[id]!.filter(({ status }) => status < 400).map(
        (one): [string, (world: World) => Promise<Response>] => [
          `${id} ${one.when}`,
          async (opened) => one.send(opened),
        ],
      ),
    ),
    ...Object.entries(moreRequests).map(
      ([name, sent]) => [name, sending(sent, sent.path.startsWith('/iam/'))] as const,
    ),
    ...controlReads.map((path) => [path, controlling('GET', path)] as const),
    ...Object.entries(largest),
  ]
  it.each(requests)('%s lets others in', { timeout: 120_000 }, async (name, send) => {
    expect(await longestTurnOf(name, () => send(world))).toBeLessThan(maxTurnMs)
  })
})
