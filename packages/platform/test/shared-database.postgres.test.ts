import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { control } from './control-client.ts'
import { onPostgres } from '@servicekit/testing/engines'
import { eventsOf } from './event-stream.ts'
import { send } from './gateway-client.ts'
import { get, project } from '@servicekit/testing/projects'
import { type Receiver, receiver } from '@servicekit/testing/receiver'

onPostgres((engine) => {
  describe('four instances on one database', () => {
    let hooks: Receiver
    let one: Platform
    let two: Platform
    let all: Platform[]
    beforeAll(async () => {
      hooks = await receiver()
      const location = await engine.location()
      const options = { ...location, outgoing: ['loopback'] as const }
      // All start at once: one migrates, the others wait for it.
      all = await Promise.all(Array.from({ length: 4 }, () => createPlatform(options)))
      ;[one, two] = all as [Platform, Platform]
      await one.loadProject(project('P', { en: { a: { ONE: '1' }, b: { TWO: '2' } } }))
    })
    afterAll(async () => {
      await Promise.all([...all, hooks].map((started) => started.close()))
    })

    const edit = (platform: Platform, value: string) =>
      control(platform, 'PUT', '/projects/P/texts', [
        { language: 'en', module: 'a', key: 'ONE', value },
      ])
    const text = async (platform: Platform) => {
      const query = { Language: 'en', ModuleName: 'a', ProjectKey: 'P' }
      const response = await get(platform, '/uilm/v1/Key/GetUilmFile', query, { key: 'P' })
      return ((await response.json()) as { ONE: string }).ONE
    }

    it('serve a change that another one made', async () => {
      expect(await Promise.all(all.map(text))).toEqual(['1', '1', '1', '1'])
      await edit(two, '2')
      expect(await Promise.all(all.map(text))).toEqual(['2', '2', '2', '2'])
      await control(one, 'PUT', '/projects/P/schemas/Thing', {
        schemaName: 'Thing',
        readAccessLevel: 2,
        writeAccessLevel: 2,
        fields: [{ name: 'Name', type: 'String' }],
      })
      await control(one, 'POST', '/projects/P/schemas/publish')
      await send(one, 'P', 'mutation { insertThing(input: {Name: "n"}) { itemId } }')
      for (const other of all.slice(1)) {
        const { data } = await send(other, 'P', '{ Things { items { Name } } }')
        expect(data.Things.items).toEqual([{ Name: 'n' }])
      }
    })

    it('stream the events of all of them, each once and in order', async () => {
      const open = async (platform: Platform) => {
        const stream = eventsOf(await get(platform, '/_platform/projects/P/events'))
        expect(await stream.next()).toBe(': listening')
        return stream
      }
      const [ofOne, ofTwo] = [await open(one), await open(two)]
      await edit(two, '3')
      await control(one, 'PUT', '/projects/P/texts', [
        { language: 'en', module: 'a', key: 'ONE', value: '4' },
        { language: 'en', module: 'b', key: 'TWO', value: '4' },
      ])
      await edit(two, '5')
      for (const stream of [ofOne, ofTwo]) {
        expect(await stream.next()).toMatch(/"ModuleId":"/)
        // Only the change of the first instance concerns several modules.
        expect(await stream.next()).toContain('"ModuleId":null')
        expect(await stream.next()).toMatch(/"ModuleId":"/)
      }
      await Promise.all([ofOne.cancel(), ofTwo.cancel()])
    })

    it('deliver each webhook once', async () => {
      await control(one, 'PUT', '/projects/P/webhook', {
        url: `${hooks.address}/hook`,
        contentType: 'application/json',
        isDisabled: false,
        projectKey: 'P',
      })
      const values = Array.from({ length: 20 }, (_, index) => `v${index}`)
      await Promise.all(values.map((value, index) => edit(all[index % all.length]!, value)))
      await Promise.all(all.map((platform) => control(platform, 'POST', '/queue/drain')))
      const received = await hooks.take(20)
      const ids = received.map(({ headers }) => headers['webhook-id'])
      expect(new Set(ids).size).toBe(20)
      expect(received).toHaveLength(20)
    })
  })
})
