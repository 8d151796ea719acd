import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { receive } from './webhooks.ts'

const headers = { 'x-hook': 'secret', 'content-type': 'application/json' }
const request = (body: unknown): Request =>
  new Request('http://receiver.test/', { method: 'POST', headers, body: JSON.stringify(body) })

const imported = { UilmImportEvent: { ProjectKey: 'P1' }, IsSuccess: true }
const translated = { TranslateAllEvent: { MessageCoRelationId: 'm1' }, Response: true }
const published = { GenerateUilmFilesEvent: { Guid: 'g1' } }
const settings = { secret: 'secret', headerKey: 'x-hook' }
const statuses = async (responses: readonly Promise<Response>[]): Promise<number[]> =>
  (await Promise.all(responses)).map(({ status }) => status)

describe('an event that arrives again', () => {
  it('while its handler runs has the same outcome, so that a failure is not lost', async () => {
    let calls = 0
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const errors: unknown[] = []
    const hook = receive(
      { ...settings, onError: (error) => errors.push(error) },
      {
        TranslateAllEvent: async () => {
          await held
          if (++calls === 1) throw new Error('the disk is full')
        },
      },
    )
    const both = statuses([hook(request(translated)), hook(request(translated))])
    release()
    expect(await both).toEqual([500, 500])
    expect(await statuses([hook(request(translated)), hook(request(translated))])).toEqual([
      200, 200,
    ])
    expect(await statuses([hook(request(translated))])).toEqual([200])
    expect(calls).toBe(2)
  })

  it('is handled again if the process ended before its handler did', async () => {
    const ids = new Set<string>()
    const seen = { has: (id: string) => ids.has(id), add: (id: string) => ids.add(id) }
    const never = new Promise<never>(() => undefined)
    void receive({ ...settings, seen }, { TranslateAllEvent: () => never })(request(translated))
    const handled: unknown[] = []
    const after = receive(
      { ...settings, seen },
      { TranslateAllEvent: (event) => void handled.push(event) },
    )
    expect(await statuses([after(request(translated)), after(request(translated))])).toEqual([
      200, 200,
    ])
    expect(handled).toEqual([translated])
  })

  it('is handled each time if it has no id: it may be a second event', async () => {
    const handled: unknown[] = []
    const hook = receive(settings, { UilmImportEvent: (event) => void handled.push(event) })
    for (let n = 0; n < 3; n++) expect((await hook(request(imported))).status).toBe(200)
    expect(handled).toHaveLength(3)
  })
})

it('an error of onError leaves the response as it is, so that the event comes again', async () => {
  for (const onError of [
    () => {
      throw new Error('the log is full')
    },
    () => Promise.reject(new Error('the log is away')),
  ]) {
    const hook = receive(
      { ...settings, onError },
      {
        TranslateAllEvent: () => {
          throw new Error('the disk is full')
        },
      },
    )
    expect(await statuses([hook(request(translated))])).toEqual([500])
  }
})

it('a body that Express left unread is read, and not taken for an empty event', async () => {
  const handled: unknown[] = []
  const hook = receive(settings, { TranslateAllEvent: (event) => void handled.push(event) })
  const send = async (body: unknown, isRead: boolean): Promise<number> => {
    const stream = Readable.from([Buffer.from(JSON.stringify(translated))])
    if (isRead) await stream.toArray()
    const response = { statusCode: 0, end: () => undefined }
    // With `express.urlencoded()`, Express 4 sets the body of a JSON request to `{}`.
    await hook(Object.assign(stream, { method: 'POST', headers, body }), response)
    return response.statusCode
  }
  expect(await send({}, true)).toBe(200)
  expect(handled).toEqual([])
  expect(await send({}, false)).toBe(200)
  expect(handled).toEqual([translated])
})

describe('a body with several events', () => {
  const receiver = () => {
    const handled: string[] = []
    const fail = new Set<string>()
    const handler = (name: string) => (): void => {
      if (fail.has(name)) throw new Error(name)
      handled.push(name)
    }
    const hook = receive(settings, {
      TranslateAllEvent: handler('translated'),
      GenerateUilmFilesEvent: handler('published'),
      UilmImportEvent: handler('imported'),
      other: handler('other'),
    })
    return { handled, fail, send: async (body: unknown) => (await hook(request(body))).status }
  }

  it('is passed to the handler of each', async () => {
    const { handled, send } = receiver()
    expect(await send({ ...translated, ...published })).toBe(200)
    expect(await send([imported, { NewEvent: {} }])).toBe(200)
    expect(await send({ ...imported, NewEvent: {} })).toBe(200)
    expect(handled.sort()).toEqual([
      'imported',
      'imported',
      'other',
      'other',
      'published',
      'translated',
    ])
  })

  it('is refused if one of them fails, and only that one is handled again', async () => {
    const { handled, fail, send } = receiver()
    fail.add('published')
    expect(await send({ ...translated, ...published })).toBe(500)
    fail.clear()
    expect(await send({ ...translated, ...published })).toBe(200)
    expect(handled).toEqual(['translated', 'published'])
  })

  it('is invalid if one of them is no object', async () => {
    const { handled, send } = receiver()
    for (const body of [[], [translated, 7], [null]]) expect(await send(body)).toBe(400)
    expect(handled).toEqual([])
  })
})

describe('a secret that is replaced', () => {
  it('is accepted beside the new one', async () => {
    const hook = receive({ ...settings, secret: ['new secret', 'secret'] }, {})
    const withSecret = (value: string): Request =>
      new Request('http://receiver.test/', {
        method: 'POST',
        headers: { 'x-hook': value },
        body: JSON.stringify(imported),
      })
    const values = ['secret', 'new secret', 'secre', 'new secretsecret', 'other', '']
    expect(await statuses(values.map((value) => hook(withSecret(value))))).toEqual([
      200, 200, 401, 401, 401, 401,
    ])
  })

  it.each([[''], [[]], [['secret', '']], [undefined]])('cannot be %j', (secret) => {
    expect(() => receive({ ...settings, secret: secret as string }, {})).toThrow('secret must not')
  })
})

it('accepts a Request of another implementation, with a context next to it', async () => {
  const own = request(imported)
  // A Request of a polyfill or another realm is not an instance of the global one.
  const foreign = { method: own.method, headers: own.headers, body: own.body } as Request
  const hook = receive({ secret: 'secret', headerKey: 'x-hook' }, {})
  const withContext = hook as unknown as (request: Request, context: object) => Promise<Response>
  expect((await withContext(foreign, { waitUntil: () => undefined })).status).toBe(200)
})
