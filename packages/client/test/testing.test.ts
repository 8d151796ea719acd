import { describe, expect, it } from 'vitest'
import { getMe, listUsers } from '../src/iam.ts'
import { createCore } from '../src/index.ts'
import { tokenSource } from '../src/token.ts'
import { handlerTransport, keepCookies, record, replay } from '../src/testing.ts'

const options = { baseUrl: 'http://service.test', projectKey: 'P1', retry: { attempts: 1 } }

describe('record and replay', () => {
  const service = (request: Request): Response => {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/token')) {
      return Response.json({ accessToken: 'canary-token', expiresIn: 420 })
    }
    if (!pathname.endsWith('/users')) {
      const secret = request.headers.get('x-secret')
      return Response.json({ data: { itemId: 'u1', userName: secret } })
    }
    return Response.json({ data: [{ itemId: 'u1' }], totalCount: 1 })
  }

  it('replays the recorded responses without the service', async () => {
    const recorder = record(handlerTransport(service))
    const use = async (transport: typeof recorder.transport) => {
      const core = createCore({ ...options, transport, headers: { 'x-secret': 'canary-secret' } })
      const token = await tokenSource(core, { clientId: 'j', clientSecret: 'canary-secret2' }).get()
      return [await getMe(core), await listUsers(core, { pageSize: 1 }).page(), token]
    }
    await use(recorder.transport)
    const file = JSON.stringify(recorder.recorded)
    expect(file).not.toContain('canary')
    expect(recorder.recorded).toHaveLength(3)
    const replayed = replay(JSON.parse(file) as typeof recorder.recorded)
    expect(await use(replayed)).toMatchObject([
      { itemId: 'u1', userName: '[not shown]' },
      { items: [{ itemId: 'u1' }], total: 1 },
      '[not shown]',
    ])
  })

  it('replays repeated requests in order, and rejects others', async () => {
    let count = 0
    const recorder = record(
      handlerTransport(() => Response.json({ data: { itemId: `u${++count}` } })),
    )
    const first = createCore({ ...options, transport: recorder.transport })
    await getMe(first)
    await getMe(first)
    const core = createCore({ ...options, transport: replay(recorder.recorded) })
    const ids = [await getMe(core), await getMe(core), await getMe(core)].map((me) => me.itemId)
    expect(ids).toEqual(['u1', 'u2', 'u2'])
    await expect(listUsers(core).page()).rejects.toThrow('POST /iam/v4/iam/users was not recorded')
  })
})

describe('keepCookies', () => {
  const browser = () =>
    keepCookies((request) => {
      const set = new URL(request.url).searchParams.getAll('set')
      const headers = new Headers()
      for (const cookie of set) headers.append('set-cookie', cookie)
      return new Response(request.headers.get('cookie'), { headers })
    })
  const send = async (fetch: ReturnType<typeof browser>, path: string, ...set: string[]) => {
    const query = set.map((cookie) => `set=${encodeURIComponent(cookie)}`).join('&')
    return (await fetch(new Request(`http://a.test${path}?${query}`))).text()
  }

  it('sends cookies below their path until they expire', async () => {
    const fetch = browser()
    expect(await send(fetch, '/in', 'a=1; Path=/', 'b=2; Path=/api; HttpOnly')).toBe('')
    expect(await send(fetch, '/')).toBe('a=1')
    expect(await send(fetch, '/api/x')).toBe('a=1; b=2')
    expect(await send(fetch, '/apis')).toBe('a=1')
    await send(
      fetch,
      '/',
      'a=; Path=/; Max-Age=0',
      'b=; Path=/api; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    )
    expect(await send(fetch, '/api')).toBe('')
    expect(await send(browser(), '/')).toBe('')
  })
})

it('sends requests to a handler', async () => {
  const transport = handlerTransport(keepCookies(() => Response.json({ data: { itemId: 'u1' } })))
  expect(await getMe(createCore({ ...options, transport }))).toMatchObject({ itemId: 'u1' })
})
