import { beforeAll, describe, expect, it } from 'vitest'
import type { LoadedProject, Platform } from '../src/index.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { eventsOf } from './event-stream.ts'
import { send } from './gateway-client.ts'
import { get, project, storefront, storefrontKey } from '@servicekit/testing/projects'

const control = (platform: Platform, method: string, path: string, body?: unknown) =>
  platform.fetch(
    new Request(`http://platform.local/_platform${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open()
    await platform.loadProject(
      project('P', { en: { a: { ONE: '1' }, b: { TWO: '2' } }, de: { a: {}, b: {} }, key: {} }),
    )
  })
  const file = async (language: string, module: string, key = 'P') => {
    const query = { Language: language, ModuleName: module, ProjectKey: key }
    const response = await get(platform, '/uilm/v1/Key/GetUilmFile', query, { key })
    return [response.status, await response.json().catch(() => null)]
  }
  const texts = (edits: unknown, key = 'P') =>
    control(platform, 'PUT', `/projects/${key}/texts`, edits)
  const removeKey = async (module: string, key: string) => {
    await control(platform, 'PUT', '/projects/P/drafts', [{ module, key, isRemoved: true }])
    return control(platform, 'POST', '/projects/P/publish')
  }

  it('lists projects', async () => {
    const list = (await (await control(platform, 'GET', '/projects')).json()) as object[]
    expect(list).toContainEqual(
      expect.objectContaining({ key: 'P', organizationId: 'org-P', fallback: 'en' }),
    )
    expect(await platform.projectKeys()).toEqual(expect.arrayContaining(['P', 'servicekit-shared']))
  })

  it('keeps all members of a dialect that requests change at the same time', async () => {
    await platform.loadProject(project('DIALECT'))
    const changes = [
      { etag: 'absent' },
      { keyFile: 'flat' },
      { download: 'text' },
      { insertCount: 'zero' },
    ]
    const put = (dialect: object) => control(platform, 'PUT', '/projects/DIALECT/dialect', dialect)
    const responses = await Promise.all(changes.map(put))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const list = (await (await control(platform, 'GET', '/projects')).json()) as object[]
    const dialect: unknown = expect.objectContaining(Object.assign({}, ...changes) as object)
    expect(list).toContainEqual(expect.objectContaining({ key: 'DIALECT', dialect }))
  })

  it('publishes the language and the module of a translation that is set', async () => {
    await platform.loadProject(project('D', { en: { m: {} } }))
    await control(platform, 'POST', '/projects/D/modules', { moduleName: 'new' })
    await control(platform, 'POST', '/projects/D/languages', { languageCode: 'fr' })
    const set = async (language: string, module: string) =>
      (await texts([{ module, key: 'K', language, value: 'a' }], 'D')).status
    expect(await set('en', 'new')).toBe(200)
    expect(await file('en', 'new', 'D')).toEqual([200, { K: 'a' }])
    expect(await set('fr', 'm')).toBe(200)
    expect(await file('fr', 'm', 'D')).toEqual([200, { K: 'a' }])
    expect(await file('fr', 'new', 'D')).toMatchObject([200, {}])
  })

  describe('loading a project', () => {
    it('accepts a folder', async () => {
      const response = await control(platform, 'POST', '/projects', { folder: storefront })
      const loaded = (await response.json()) as LoadedProject
      expect(loaded).toMatchObject({ key: storefrontKey, problems: [] })
      expect(loaded.changedModules).toHaveLength(8)
    })

    it('accepts a whole project', async () => {
      const response = await control(platform, 'POST', '/projects', {
        name: 'Whole',
        projectKey: 'W',
        languages: [{ itemId: '1', languageName: 'E', languageCode: 'en', isDefault: true }],
        modules: [{ itemId: '2', moduleName: 'm' }],
        schemas: [
          {
            schemaName: 'Note',
            querySchema: 'Notes',
            readAccessLevel: 2,
            fields: [{ name: 'T', type: 'Int' }],
          },
        ],
        texts: { en: { m: { A: 'a', B: null } } },
        records: { Note: [{ ItemId: 'n', T: 1 }] },
      })
      expect(await response.json()).toEqual({ key: 'W', changedModules: ['m'], problems: [] })
      expect(await file('en', 'm', 'W')).toEqual([200, { A: 'a', B: null }])
      const { data } = await send(platform, 'W', '{ Notes { items { ItemId T } } }')
      expect(data.Notes.items).toEqual([{ ItemId: 'n', T: 1 }])
    })

    it.each([
      ['is no JSON', '{', /not JSON/],
      ['names no project', {}, /./],
      [
        'has a text that is none',
        { name: 'X', projectKey: 'X', texts: { en: { m: { A: 1 } } } },
        /texts\.en\.m/,
      ],
      [
        'has texts of an unknown language',
        { name: 'X', projectKey: 'X', texts: { en: { m: {} } } },
        /no such language/,
      ],
      ['has a member that is unknown', { name: 'X', projectKey: 'X', extra: 1 }, /extra/],
    ])('rejects a body that %s', async (_, body, message) => {
      const response = await control(platform, 'POST', '/projects', body)
      expect(response.status).toBe(400)
      expect(((await response.json()) as { title: string }).title).toMatch(message)
      expect(await platform.projectKeys()).not.toContain('X')
    })
  })

  describe('editing translations', () => {
    it('sets translations in the given languages, and creates missing keys', async () => {
      const response = await texts([
        { language: 'en', module: 'a', key: 'ONE', value: 'uno' },
        { language: 'de', module: 'a', key: 'NEW', value: null },
      ])
      expect(await response.json()).toEqual({ changedModules: ['a'] })
      expect(await file('en', 'a')).toEqual([200, { ONE: 'uno' }])
      expect(await file('de', 'a')).toEqual([200, { NEW: null }])
      expect(await file('key', 'a')).toEqual([200, { ONE: 'ONE', NEW: 'NEW' }])
    })

    it('reports no change if the translations are equal', async () => {
      const edit = [{ language: 'en', module: 'b', key: 'TWO', value: '2' }]
      expect(await (await texts(edit)).json()).toEqual({ changedModules: [] })
    })

    it('applies all edits or none', async () => {
      const response = await texts([
        { language: 'en', module: 'b', key: 'TWO', value: 'changed' },
        { language: 'xx', module: 'b', key: 'TWO', value: 'changed' },
      ])
      expect(response.status).toBe(400)
      expect(await file('en', 'b')).toEqual([200, { TWO: '2' }])
    })

    it.each([
      ['an unknown module', [{ language: 'en', module: 'x', key: 'K', value: '' }]],
      ['U+0000 in a text', [{ language: 'en', module: 'a', key: 'K', value: '\0' }]],
      ['U+0000 in a key', [{ language: 'en', module: 'a', key: '\0', value: '' }]],
      ['an empty key', [{ language: 'en', module: 'a', key: '', value: '' }]],
      ['half a character', [{ language: 'en', module: 'a', key: 'K', value: '\ud800' }]],
      ['a text that is a number', [{ language: 'en', module: 'a', key: 'K', value: 1 }]],
      ['no list', {}],
    ])('rejects %s', async (_, edits) => {
      expect((await texts(edits)).status).toBe(400)
    })

    it('responds with 404 for an unknown project', async () => {
      expect((await texts([], 'nobody')).status).toBe(404)
    })

    it('applies all concurrent edits', async () => {
      const edits = Array.from({ length: 20 }, (_, index) => [
        { language: 'en', module: 'b', key: `AT_ONCE_${index}`, value: String(index) },
      ])
      const responses = await Promise.all(edits.map((edit) => texts(edit)))
      expect(responses.map(({ status }) => status)).toEqual(edits.map(() => 200))
      const [, body] = await file('en', 'b')
      expect(Object.keys(body as object).filter((key) => key.startsWith('AT_ONCE'))).toHaveLength(
        20,
      )
    })

    it('removes a key from every language', async () => {
      await texts([
        { language: 'en', module: 'b', key: 'GONE', value: 'x' },
        { language: 'de', module: 'b', key: 'GONE', value: 'y' },
      ])
      const remove = () => removeKey('b', 'GONE')
      expect(await (await remove()).json()).toMatchObject({ changedModules: ['b'] })
      expect((await file('de', 'b'))[1]).toEqual({})
      expect((await file('key', 'b'))[1]).not.toHaveProperty('GONE')
      expect(await (await remove()).json()).toMatchObject({ changedModules: [] })
    })
  })

  it('streams an event for each publication', async () => {
    const stream = eventsOf(await control(platform, 'GET', '/projects/P/events'))
    expect(await stream.next()).toBe(': listening')
    await texts([{ language: 'en', module: 'a', key: 'ONE', value: 'one' }])
    const one = await stream.next()
    const { modules } = {
      modules: await get(platform, '/uilm/v1/Module/Gets', { ProjectKey: 'P' }, { key: 'P' }),
    }
    const [first] = (await modules.json()) as { itemId: string }[]
    expect(one?.replace(/(?<="Guid":")[\da-f-]{36}/, 'GUID')).toBe(
      `event: GenerateUilmFilesEvent\ndata: ${JSON.stringify({
        GenerateUilmFilesEvent: { Guid: 'GUID', ModuleId: first!.itemId, ProjectKey: 'P' },
      })}`,
    )
    await texts([
      { language: 'en', module: 'a', key: 'ONE', value: 'uno' },
      { language: 'en', module: 'b', key: 'TWO', value: 'dos' },
    ])
    expect(await stream.next()).toContain('"ModuleId":null')
    // No event is sent if nothing changed or for another project: the next event is a
    // later one.
    await texts([{ language: 'en', module: 'b', key: 'TWO', value: 'dos' }])
    await platform.loadProject(project('OTHER', { en: { a: { X: 'x' } } }))
    await removeKey('b', 'TWO')
    expect(await stream.next()).not.toContain('"ModuleId":null')
    await stream.cancel()
    expect((await control(platform, 'GET', '/projects/nobody/events')).status).toBe(404)
  })

  it('removes a project with all its data', async () => {
    await platform.loadProject(project('GONE', { en: { m: { A: 'a' } } }))
    await platform.loadProject(project('STAYS', { en: { m: { A: 'a' } } }))
    expect((await control(platform, 'DELETE', '/projects/GONE')).status).toBe(204)
    expect((await control(platform, 'DELETE', '/projects/GONE')).status).toBe(404)
    expect((await file('en', 'm', 'GONE'))[0]).toBe(401)
    expect(await file('en', 'm', 'STAYS')).toEqual([200, { A: 'a' }])
    await platform.loadProject(project('GONE', { en: { m: {} } }))
    expect(await file('en', 'm', 'GONE')).toEqual([200, {}])
  })
})
