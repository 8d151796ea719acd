import { describe, expect, it } from 'vitest'
import { type Client, createClient, fetchTransport } from '../src/index.ts'

/** Client of a service with a fixed response; `sent` are the requests. */
function client(body: unknown, init: ResponseInit = {}): { sent: Request[]; client: Client } {
  const sent: Request[] = []
  const transport = fetchTransport((request) => {
    sent.push(request)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return new Response(init.status === 304 ? null : text, init)
  })
  const options = { baseUrl: 'http://platform.test', projectKey: 'P 1'.replace(' ', ''), transport }
  return { sent, client: createClient({ ...options, retry: { attempts: 1 } }) }
}

describe('listLanguages', () => {
  const full = {
    itemId: 'l1',
    languageName: 'German (Germany)',
    languageCode: 'de-DE',
    isDefault: true,
    projectKey: 'P1',
  }
  const read = { itemId: 'l1', code: 'de-DE', name: 'German (Germany)', isDefault: true }

  it.each([
    ['an array', [full], [read]],
    ['items', { items: [full], totalCount: 1 }, [read]],
    ['data', { data: [full], errors: null }, [read]],
    ['code', [{ code: 'de-DE', isDefault: true, itemId: 'l1', name: 'German (Germany)' }], [read]],
    [
      'culture',
      [{ culture: 'fr-FR' }],
      [{ itemId: undefined, code: 'fr-FR', name: 'fr-FR', isDefault: false }],
    ],
    [
      'what is null',
      [{ ...full, languageName: null, isDefault: null }],
      [{ ...read, name: 'de-DE', isDefault: false }],
    ],
    ['none', [], []],
  ])('reads %s', async (_, body, expected) => {
    expect(await client(body).client.localization.listLanguages()).toEqual(expected)
  })

  it('requests the chosen family of routes', async () => {
    const { sent, client: one } = client([])
    await one.localization.listLanguages()
    await one.localization.listLanguages({ family: 'uilm' })
    await one.localization.listModules({ family: 'uilm' })
    await one.localization
      .getFile({ language: 'de-DE', module: 'a b' }, { family: 'uilm' })
      .catch(() => 0)
    expect(sent.map(({ url }) => url)).toEqual([
      'http://platform.test/localization/v4/Language/Gets?ProjectKey=P1',
      'http://platform.test/uilm/v1/Language/Gets?ProjectKey=P1',
      'http://platform.test/uilm/v1/Module/Gets?ProjectKey=P1',
      'http://platform.test/uilm/v1/Key/GetUilmFile?Language=de-DE&ModuleName=a%20b&ProjectKey=P1',
    ])
    expect(sent.map(({ headers }) => headers.get('x-service-key'))).toEqual([
      'P1',
      'P1',
      'P1',
      'P1',
    ])
  })

  it.each([
    ['nothing', ''],
    ['null', null],
    ['a text', '"de-DE"'],
    ['an object around nothing', { languages: [full] }],
    ['items that are none', { items: { 0: full } }],
    ['an entry that is a text', ['de-DE']],
    ['an entry without a code', [full, { languageName: 'German' }]],
    ['an empty code', [{ code: '' }]],
    ['a code that is a number', [{ code: 7 }]],
  ])('reports the problem of %s', async (what, body) => {
    const error = await client(body)
      .client.localization.listLanguages()
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'ResponseShapeError', code: 'RESPONSE_INVALID' })
    expect((error as Error).message).toMatchSnapshot(what)
  })
})

describe('listModules', () => {
  it('reads a bare and a wrapped array', async () => {
    const entry = { itemId: 'm1', moduleName: 'auth' }
    for (const body of [[entry], { items: [entry] }, { data: [{ itemId: 'm1', name: 'auth' }] }]) {
      expect(await client(body).client.localization.listModules()).toEqual([
        { itemId: 'm1', name: 'auth' },
      ])
    }
  })

  it('names the entry without a name', async () => {
    const { client: one } = client([{ moduleName: 'auth' }, { moduleName: '' }])
    await expect(one.localization.listModules()).rejects.toThrow(
      'Cannot list the modules: unexpected response',
    )
  })
})

describe('getFile', () => {
  const place = { language: 'de-DE', module: 'auth' }

  it('returns the file as the service sent it', async () => {
    const text =
      '{"B": " x ", "A": null, "__proto__": "p", "n": {"d": 1}, "10": "", "9": "[ KEY MISSING ]"}'
    const { client: one } = client(text, { headers: { etag: 'W/"7"' } })
    const file = await one.localization.getFile(place)
    expect(file).toMatchObject({ status: 'ok', etag: 'W/"7"' })
    expect(JSON.stringify((file as { translations: object }).translations)).toBe(
      JSON.stringify(JSON.parse(text)),
    )
    expect(Object.keys((file as { translations: object }).translations)).toContain('__proto__')
  })

  it('distinguishes an empty body from an empty object', async () => {
    expect(await client('').client.localization.getFile(place)).toEqual({
      status: 'ok',
      translations: undefined,
      etag: undefined,
    })
    expect(await client({}).client.localization.getFile(place)).toMatchObject({ translations: {} })
  })

  it('sends If-None-Match with an ETag, and accepts 304 only then', async () => {
    const { sent, client: one } = client('', { status: 304 })
    expect(await one.localization.getFile({ ...place, etag: '"7"' })).toEqual({
      status: 'unchanged',
    })
    expect(sent[0]!.headers.get('if-none-match')).toBe('"7"')
    await expect(one.localization.getFile(place)).rejects.toMatchObject({ status: 304 })
  })

  it.each([
    ['null', 'null'],
    ['an array', '["a"]'],
    ['a text', '"a"'],
    ['a page', '<html><title>Sign in</title>'],
    ['half an object', '{"SIGN_IN": "Anm'],
  ])('names the file that contains %s', async (what, body) => {
    const error = await client(body)
      .client.localization.getFile(place)
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      code: 'RESPONSE_INVALID',
      details: { project: 'P1', language: 'de-DE', module: 'auth' },
    })
    expect((error as Error).message).toMatchSnapshot(what)
  })

  it('names the rejected file and the reason', async () => {
    const body = {
      code: 400,
      message: { title: 'Not valid', errors: { ModuleName: ['is unknown'] }, status: 400 },
    }
    const work = client(body, { status: 400 }).client.localization.getFile(place)
    await expect(work).rejects.toThrowErrorMatchingInlineSnapshot(`
      [RequestError: Cannot read the translations of module "auth" in de-DE: the service responded with 400
        project: P1
        language: de-DE
        module: auth
        url: http://platform.test/localization/v4/Key/GetUilmFile?Language=de-DE&ModuleName=auth&ProjectKey=P1
        operation: localization.getFile
        attempts: 1
        message: Not valid: ModuleName: is unknown]
    `)
  })
})
