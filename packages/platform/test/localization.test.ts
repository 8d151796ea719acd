import { localization, Rejection, UilmError } from '@servicekit/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { get, project, storefront, storefrontKey } from '@servicekit/testing/projects'

const families = ['/localization/v4', '/uilm/v1'] as const
const texts = {
  'en-US': {
    auth: {
      SIGN_IN: 'Sign in',
      'form.title': ' Title\n',
      'form.title.short': '',
      10: 'ten',
      A: null,
    },
    cart: { MISSING: '[ KEY MISSING ]' },
  },
  'de-DE': { auth: { SIGN_IN: 'Anmelden' }, cart: {} },
  key: {},
}

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ projects: [storefront] })
    await platform.loadProject(project('P1', texts))
    await platform.loadProject(
      project('EMPTY', texts, {
        dialect: { unknownFile: 'empty', languageList: 'data', languageCode: 'culture' },
      }),
    )
    await platform.loadProject(
      project('ITEMS', texts, { dialect: { languageList: 'items', languageCode: 'code' } }),
    )
    await platform.loadProject(project('NOKEYS', { en: { auth: { A: 'a' } } }))
  })

  describe.each(families)('%s', (family) => {
    const file = (
      query: Record<string, string>,
      key: string | null = query['ProjectKey'] ?? null,
    ) => get(platform, `${family}/Key/GetUilmFile`, query, { key })

    it('returns a file as it is stored', async () => {
      const response = await file({ Language: 'en-US', ModuleName: 'auth', ProjectKey: 'P1' })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch('application/json')
      expect(await response.text()).toBe(
        '{"10":"ten","A":null,"SIGN_IN":"Sign in","form.title":" Title\\n","form.title.short":""}',
      )
    })

    it('returns an empty object for a module without translations in a language', async () => {
      const response = await file({ Language: 'de-DE', ModuleName: 'cart', ProjectKey: 'P1' })
      expect(await response.json()).toEqual({})
    })

    it('returns the marker of a missing translation unchanged', async () => {
      const response = await file({ Language: 'en-US', ModuleName: 'cart', ProjectKey: 'P1' })
      expect(await response.json()).toEqual({ MISSING: '[ KEY MISSING ]' })
    })

    it('returns each key as its own value, nested at dots, for the language key', async () => {
      const response = await file({ Language: 'key', ModuleName: 'auth', ProjectKey: 'P1' })
      expect(await response.json()).toEqual({
        10: '10',
        A: 'A',
        SIGN_IN: 'SIGN_IN',
        form: { title: 'form.title' },
        'form.title.short': 'form.title.short',
      })
    })

    it('rejects the language key until it is added to the project', async () => {
      const response = await file({ Language: 'key', ModuleName: 'auth', ProjectKey: 'NOKEYS' })
      expect(response.status).toBe(400)
    })

    it.each([
      ['Language missing', { ModuleName: 'auth' }, 'Language'],
      ['Language empty', { Language: '', ModuleName: 'auth' }, 'Language'],
      ['Language not defined', { Language: 'xx-XX', ModuleName: 'auth' }, 'Language'],
      ['ModuleName missing', { Language: 'en-US' }, 'ModuleName'],
      ['ModuleName not defined', { Language: 'en-US', ModuleName: 'nope' }, 'ModuleName'],
      [
        'ModuleName hostile',
        { Language: 'en-US', ModuleName: `'; drop table x; --` },
        'ModuleName',
      ],
      ['ModuleName __proto__', { Language: 'en-US', ModuleName: '__proto__' }, 'ModuleName'],
    ])('responds with 400 when %s', async (_, query, member) => {
      const response = await file({ ...query, ProjectKey: 'P1' } as Record<string, string>)
      expect(response.status).toBe(400)
      const body = UilmError.parse(await response.json())
      expect(body).toMatchObject({ code: 400, message: { status: 400 } })
      expect(Object.keys(body.message.errors)).toEqual([member])
      expect(body.message.traceId).toBe(response.headers.get('x-request-id'))
    })

    it.each([
      ['nothing names the project', {}, null],
      ['the project is unknown', { ProjectKey: 'nobody' }, 'nobody'],
      ['the key is longer than 64 characters', { ProjectKey: 'x'.repeat(65) }, 'x'.repeat(65)],
      ['the parameter names another project than the header', { ProjectKey: 'EMPTY' }, 'P1'],
      ['the key has a character that no text may have', { ProjectKey: 'P\u00001' }, null],
    ])('responds to a file request with 401 when %s', async (_, query, key) => {
      const response = await file({ Language: 'en-US', ModuleName: 'auth', ...query }, key)
      expect(response.status).toBe(401)
      expect(UilmError.parse(await response.json()).code).toBe(401)
    })

    it('may return an empty body for an unknown file', async () => {
      const response = await file({ Language: 'xx', ModuleName: 'auth', ProjectKey: 'EMPTY' })
      expect(response.status).toBe(200)
      expect(await response.text()).toBe('')
      const missing = await file({ ModuleName: 'auth', ProjectKey: 'EMPTY' })
      expect(missing.status).toBe(400)
    })

    it.each(['asStored', 'marker', 'null', 'empty'] as const)(
      'may return an empty body for an unknown file together with missing translations: %s',
      async (missingTranslation) => {
        const dialect = { unknownFile: 'empty', missingTranslation } as const
        await platform.loadProject(project('BOTH', texts, { dialect }))
        for (const [Language, ModuleName] of [
          ['xx', 'auth'],
          ['en-US', 'nothing'],
        ] as const) {
          const response = await file({ Language, ModuleName, ProjectKey: 'BOTH' })
          expect([response.status, await response.text()]).toEqual([200, ''])
        }
      },
    )

    it('responds with 304 to a file that is unchanged', async () => {
      const query = { Language: 'en-US', ModuleName: 'auth', ProjectKey: 'P1' }
      const etag = (await file(query)).headers.get('etag')!
      const ask = (header: string) =>
        get(platform, `${family}/Key/GetUilmFile`, query, {
          key: 'P1',
          headers: { 'if-none-match': header },
        })
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const response = await ask(header)
        expect([response.status, await response.text()]).toEqual([304, ''])
        expect(response.headers.get('etag')).toBe(etag)
      }
      expect((await ask('"other"')).status).toBe(200)
    })

    it('responds to HEAD with the headers of GET', async () => {
      const response = await get(
        platform,
        `${family}/Key/GetUilmFile`,
        { Language: 'en-US', ModuleName: 'auth', ProjectKey: 'P1' },
        { key: 'P1', method: 'HEAD' },
      )
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toMatch(/^"/)
      expect(await response.text()).toBe('')
    })

    it('compresses a large file if the client accepts it', async () => {
      const query = { Language: 'en-US', ModuleName: 'common', ProjectKey: storefrontKey }
      const ask = (accepted: string) =>
        get(platform, `${family}/Key/GetUilmFile`, query, {
          key: storefrontKey,
          headers: { 'accept-encoding': accepted },
        })
      const plain = await (await ask('identity')).text()
      const response = await ask('br, gzip')
      expect(response.headers.get('content-encoding')).toBe('gzip')
      expect(response.headers.get('vary')).toMatch(/accept-encoding/i)
      const unpacked = response.body!.pipeThrough(new DecompressionStream('gzip'))
      expect(await new Response(unpacked).text()).toBe(plain)
      expect((await ask('gzip;q=0')).headers.get('content-encoding')).toBeNull()
    })

    it('lists modules in their order', async () => {
      const response = await get(
        platform,
        `${family}/Module/Gets`,
        { ProjectKey: 'P1' },
        { key: 'P1' },
      )
      const modules = (await response.json()) as localization.Module[]
      expect(modules.map(({ moduleName }) => moduleName)).toEqual(['auth', 'cart'])
    })

    it('responds with 404 to other paths', async () => {
      const response = await get(platform, `${family}/Key/Nothing`, {}, { key: 'P1' })
      expect(response.status).toBe(404)
      expect(UilmError.parse(await response.json()).code).toBe(404)
    })

    it('serves every file of the sample project', async () => {
      for (const language of ['en-US', 'ar-EG', 'ja-JP']) {
        const response = await file({
          Language: language,
          ModuleName: 'checkout',
          ProjectKey: storefrontKey,
        })
        expect(localization.UilmFile.parse(await response.json())).not.toEqual({})
      }
    })
  })

  describe('language lists', () => {
    const list = (family: string, query: Record<string, string>, key: string | null) =>
      get(platform, `${family}/Language/Gets`, query, { key })

    it('return language records on both families', async () => {
      for (const family of families) {
        const response = await list(family, { ProjectKey: 'P1' }, 'P1')
        const languages = (await response.json()) as localization.Language[]
        expect(languages[0]).toEqual({
          itemId: expect.any(String),
          languageName: 'Language en-US',
          languageCode: 'en-US',
          isDefault: true,
          projectKey: 'P1',
        })
        expect(languages.map((one) => one.languageCode)).toEqual(['en-US', 'de-DE', 'key'])
      }
    })

    it('follow the dialect of a project on the localization family only', async () => {
      const data = await (await list('/localization/v4', { ProjectKey: 'EMPTY' }, 'EMPTY')).json()
      expect(data).toMatchObject({ data: [{ culture: 'en-US' }, { culture: 'de-DE' }, {}] })
      const items = await (await list('/localization/v4', { ProjectKey: 'ITEMS' }, 'ITEMS')).json()
      expect(items).toMatchObject({ items: [{ code: 'en-US' }, { code: 'de-DE' }, {}] })
      expect(JSON.stringify(items)).not.toContain('languageCode')
      const uilm = await (await list('/uilm/v1', { ProjectKey: 'ITEMS' }, 'ITEMS')).json()
      expect(uilm).toMatchObject([{ languageCode: 'en-US' }, {}, {}])
    })

    it.each([
      ['the header is missing', { ProjectKey: 'P1' }, null, 400],
      ['the project is unknown', { ProjectKey: 'nobody' }, 'nobody', 404],
      ['the two name different projects', { ProjectKey: 'EMPTY' }, 'P1', 404],
    ])('are rejected on the localization family when %s', async (_, query, key, status) => {
      for (const path of ['Language/Gets', 'Module/Gets']) {
        const response = await get(platform, `/localization/v4/${path}`, query, { key })
        expect(response.status).toBe(status)
        expect(Rejection.parse(await response.json()).IsSuccess).toBe(false)
      }
    })

    it.each([
      ['nothing names the project', {}, null],
      ['the project is unknown', { ProjectKey: 'nobody' }, null],
    ])('are rejected on the uilm family when %s', async (_, query, key) => {
      for (const path of ['Language/Gets', 'Module/Gets']) {
        const response = await get(platform, `/uilm/v1/${path}`, query, { key })
        expect(response.status).toBe(401)
        expect(UilmError.parse(await response.json()).code).toBe(401)
      }
    })
  })

  describe('without the project header', () => {
    const file = (query: Record<string, string>) => get(platform, '/uilm/v1/Key/GetUilmFile', query)

    it('serves the shared project on the uilm family', async () => {
      const languages = await get(platform, '/uilm/v1/Language/Gets', { ProjectKey: 'P1' })
      expect(languages.status).toBe(200)
      expect(await languages.json()).toMatchObject([{ languageCode: 'en-US', projectKey: null }])
      const modules = await get(platform, '/uilm/v1/Module/Gets', { ProjectKey: 'P1' })
      expect(await modules.json()).toEqual([])
      const own = await file({ Language: 'en-US', ModuleName: 'auth', ProjectKey: 'P1' })
      expect([own.status, await own.json()]).toEqual([200, {}])
    })

    it('rejects undefined languages and modules', async () => {
      for (const query of [
        { Language: 'xx', ModuleName: 'auth', ProjectKey: 'P1' },
        { Language: 'en-US', ModuleName: 'nope', ProjectKey: 'P1' },
        { Language: 'en-US', ProjectKey: 'P1' },
      ]) {
        expect((await file(query as Record<string, string>)).status).toBe(400)
      }
    })

    it('serves translations of the shared project once it has some', async () => {
      await platform.loadProject(
        project('servicekit-shared', { 'en-US': { auth: { OK: 'All right' } } }),
      )
      const response = await file({ Language: 'en-US', ModuleName: 'auth', ProjectKey: 'P1' })
      expect(await response.json()).toEqual({ OK: 'All right' })
    })
  })

  describe('loading again', () => {
    const etagOf = async (language: string, module: string) => {
      const query = { Language: language, ModuleName: module, ProjectKey: 'AGAIN' }
      const response = await get(platform, '/uilm/v1/Key/GetUilmFile', query, { key: 'AGAIN' })
      return [response.status, response.headers.get('etag'), await response.text()]
    }
    const before = {
      en: { a: { ONE: '1', TWO: '2' }, b: { X: 'x' } },
      de: { a: { ONE: 'eins' }, b: { X: 'ix' } },
    }

    it('writes only translations that changed', async () => {
      expect(await platform.loadProject(project('AGAIN', before))).toEqual({
        key: 'AGAIN',
        changedModules: ['a', 'b'],
        problems: [],
      })
      const enB = await etagOf('en', 'b')
      const enA = await etagOf('en', 'a')
      expect((await platform.loadProject(project('AGAIN', before))).changedModules).toEqual([])
      expect(await etagOf('en', 'a')).toEqual(enA)

      const after = { ...before, en: { a: { ONE: 'one', THREE: '3' }, b: { X: 'x' } } }
      expect((await platform.loadProject(project('AGAIN', after))).changedModules).toEqual(['a'])
      expect((await etagOf('en', 'a'))[2]).toBe('{"ONE":"one","THREE":"3"}')
      expect(await etagOf('en', 'b')).toEqual(enB)
    })

    it('removes languages and modules that the source no longer has', async () => {
      await platform.loadProject(project('AGAIN', { de: { a: { ONE: 'eins' } } }))
      expect((await etagOf('en', 'a'))[0]).toBe(400)
      expect((await etagOf('de', 'b'))[0]).toBe(400)
      expect((await etagOf('de', 'a'))[2]).toBe('{"ONE":"eins"}')
    })
  })

  it('stores hostile keys and translations unchanged', async () => {
    const hostile = {
      ['__proto__']: 'proto',
      constructor: 'c',
      "it's": `"quoted" \\ 'single'`,
      '{"json":1}': '\u2028\u2029\u200f\u{1f600}',
      'a.__proto__.b': 'x'.repeat(100_000),
      $1: '$1; drop table servicekit.texts',
      ' spaced ': '\t\r\n ',
      'ключ.日本': '{{name}} {name}',
    }
    const texts = Object.assign(Object.create(null) as Record<string, string>, hostile)
    Object.defineProperty(texts, '__proto__', { value: 'proto', enumerable: true })
    await platform.loadProject(project('HOSTILE', { en: { m: texts }, key: { m: {} } }))
    const read = async (language: string) => {
      const query = { Language: language, ModuleName: 'm', ProjectKey: 'HOSTILE' }
      const response = await get(platform, '/uilm/v1/Key/GetUilmFile', query, { key: 'HOSTILE' })
      return JSON.parse(await response.text()) as Record<string, unknown>
    }
    expect(new Map(Object.entries(await read('en')))).toEqual(new Map(Object.entries(texts)))
    const keys = await read('key')
    expect(Object.getOwnPropertyDescriptor(keys, '__proto__')?.value).toBe('__proto__')
    expect(keys["it's"]).toBe("it's")
  })
})
