import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { type Built, buildPlatform } from '@servicekit/testing/build-platform'
import { control } from './control-client.ts'
import { onPostgres } from '@servicekit/testing/engines'
import { isDeep } from '@servicekit/testing/is-deep'
import { send } from './gateway-client.ts'
import { control as ofProject, people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { type Receiver, receiver } from '@servicekit/testing/receiver'

/** Number of times an instance is killed; 20 in the deep run. */
const kills = isDeep ? 20 : 2

const schemas = [
  {
    schemaName: 'Note',
    schemaType: 1,
    querySchema: 'Notes',
    fields: [{ name: 'Text', type: 'String' }],
  },
]
const program = `
const [databaseUrl] = process.argv.slice(2)
const { baseUrl } = await platform.startPlatform({
  databaseUrl, outgoing: ['loopback'], webhooks: { timeoutMs: 1000, retryDelaysMs: [100, 1000, 1000, 1000] },
})
console.log(baseUrl)
`

onPostgres((engine) => {
  let hooks: Receiver
  let built: Built
  let steady: Platform
  let databaseUrl: string
  beforeAll(async () => {
    hooks = await receiver()
    built = await buildPlatform()
    databaseUrl = (await engine.location()).databaseUrl!
    steady = await createPlatform({
      databaseUrl,
      outgoing: ['loopback'],
      webhooks: { timeoutMs: 1000 },
    })
    await steady.loadProject(project('P', { en: { a: { ONE: '1' } } }, { schemas }))
    await control(steady, 'PUT', '/projects/P/webhook', {
      url: hooks.address,
      contentType: 'application/json',
      isDisabled: false,
      projectKey: 'P',
    })
  }, 60_000)
  afterAll(async () => {
    await Promise.all([steady?.close(), built?.remove(), hooks?.close()])
  })

  it(`loses no accepted write and no webhook when an instance is killed ${kills} times`, async () => {
    await ofProject(steady, 'P', 'PUT', '/identity', people)
    const { browser } = await signIn(steady, 'P')
    const isSignedIn = async (): Promise<boolean> =>
      (await browser.send('/iam/v4/iam/me', { headers: { 'x-service-key': 'P' } })).ok
    const accepted: string[] = []
    let edits = 0
    let count = 0
    const start = async () => {
      const child = await built.run(program, [databaseUrl])
      return { child, baseUrl: await child.line() }
    }
    const post = async (url: string, method: string, body: unknown) => {
      const response = await fetch(url, {
        method,
        headers: { 'x-service-key': 'P' },
        body: JSON.stringify(body),
      })
      return (await response.json()) as { data?: { insertNote?: { acknowledged: boolean } } }
    }
    for (let kill = 0; kill < kills; kill++) {
      const { child, baseUrl } = await start()
      let own = 0
      let isBusy = (): void => {}
      const busy = new Promise<void>((resolve) => {
        isBusy = resolve
      })
      const write = async (): Promise<void> => {
        // Continue until the instance is gone and a request fails.
        for (;;) {
          const id = `n${count++}`
          const query = `mutation { insertNote(input: {ItemId: "${id}"}) { acknowledged } }`
          const inserted = await post(`${baseUrl}/data/v4/gateway`, 'POST', { query })
          if (inserted.data?.insertNote?.acknowledged) accepted.push(id)
          const edit = { language: 'en', module: 'a', key: 'ONE', value: id }
          await post(`${baseUrl}/_platform/projects/P/texts`, 'PUT', [edit])
          edits++
          if (++own === 10) isBusy()
        }
      }
      const writers = [write(), write()].map((writer) => writer.catch(() => {}))
      await busy
      child.process.kill('SIGKILL')
      await child.ended
      await Promise.all(writers)
      expect(await isSignedIn()).toBe(true)
    }

    const query = 'query ($ids: [String]) { Notes(where: {ItemId: {in: $ids}}) { totalCount } }'
    const { data } = await send(steady, 'P', query, { ids: accepted })
    expect(accepted.length).toBeGreaterThan(kills * 5)
    expect(data.Notes.totalCount).toBe(accepted.length)

    // Jobs of killed instances are released when their lock expires.
    const left = async () => ((await control(steady, 'GET', '/queue')).body as { all: number }).all
    await expect
      .poll(
        async () => {
          await control(steady, 'POST', '/queue/drain')
          return left()
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe(0)
    const { body } = await control(steady, 'GET', '/projects/P/deliveries?limit=500')
    const deliveries = body as { state: string; messageId: string }[]
    expect(deliveries.length).toBeGreaterThanOrEqual(Math.min(500, edits))
    expect(deliveries.filter(({ state }) => state !== 'delivered')).toEqual([])
    const received = new Set((await hooks.take(1)).map(({ headers }) => headers['webhook-id']))
    expect(deliveries.filter(({ messageId }) => !received.has(messageId))).toEqual([])
  }, 600_000)
})
