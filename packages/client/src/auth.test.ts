import { describe, expect, it } from 'vitest'
import { completeSignIn, startSignIn, type StateStore } from './auth.ts'
import { createCore } from './core.ts'
import { fetchTransport } from './transport-fetch.ts'

/** Service whose sign-in returns this URL, with a browser's storage. */
function signIn(address = 'https://id.test/auth?state=mine') {
  const sent: string[] = []
  const transport = fetchTransport((request) => {
    const { pathname } = new URL(request.url)
    sent.push(pathname)
    return Response.json(pathname.endsWith('initiate') ? { redirect_uri: address } : {})
  })
  const core = createCore({ baseUrl: 'http://service.test', projectKey: 'P1', transport })
  const kept = new Map<string, string>()
  const store: StateStore = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  }
  return {
    sent,
    start: () => startSignIn(core, { clientId: 'web', redirectUri: 'https://app.test/in', store }),
    complete: (query: string) => completeSignIn(core, `https://app.test/in?${query}`, { store }),
    withoutStore: (query: string) => completeSignIn(core, `https://app.test/in?${query}`),
  }
}
const refused = (said: string) => ({
  code: 'SIGN_IN_REFUSED',
  message: `Cannot complete the sign-in: ${said}`,
})

describe('the state of a sign-in', () => {
  it('is accepted once', async () => {
    const { start, complete, sent } = signIn()
    expect(await start()).toMatchObject({ state: 'mine' })
    expect(await complete('code=c&state=mine')).toEqual({})
    await expect(complete('code=c&state=mine')).rejects.toMatchObject(refused('unknown state'))
    expect(sent).toEqual(['/iam/v4/idp/initiate', '/iam/v4/idp/callback'])
  })

  it('is rejected if no sign-in was started: the link may be forged', async () => {
    const { complete, sent } = signIn()
    await expect(complete('code=c&state=theirs')).rejects.toMatchObject(refused('unknown state'))
    expect(sent).toEqual([])
  })

  it('is rejected if it differs from the saved one', async () => {
    const { start, complete } = signIn()
    await start()
    await expect(complete('code=c&state=theirs')).rejects.toMatchObject(refused('unknown state'))
  })

  it('is not compared if the URL of the service has none', async () => {
    const { start, complete } = signIn('https://id.test/auth')
    expect(await start()).toMatchObject({ state: undefined })
    expect(await complete('code=c&state=any')).toEqual({})
  })

  it('is not compared without a store, as on a server', async () => {
    const { withoutStore } = signIn()
    expect(await withoutStore('code=c&state=any')).toEqual({})
  })

  it('reports the error of the callback URL', async () => {
    const { start, complete } = signIn()
    await start()
    const back = complete('error=access_denied&state=mine')
    await expect(back).rejects.toMatchObject(refused('access_denied'))
    await expect(complete('')).rejects.toMatchObject(refused('no code'))
  })
})

it.each(['', 'nowhere', 'javascript:alert(1)'])('rejects the sign-in URL %j', async (address) => {
  const { start } = signIn(address)

  await expect(start()).rejects.toMatchObject({
    code: 'RESPONSE_INVALID',
    details: { operation: 'auth.initiate' },
  })
})
