import { describe, expect, it, vi } from 'vitest'
import { completeSignIn, startSignIn, type StateStore } from './auth.ts'
import { createCore } from './core.ts'
import { fetchTransport } from './transport-fetch.ts'

/** Service whose sign-in returns this URL, with a browser's storage. */
function signIn(address = 'https://id.test/auth?state=mine') {
  const sent: string[] = []
  const world = { address, isDown: false, isSignedIn: false }
  const transport = fetchTransport((request) => {
    const { pathname } = new URL(request.url)
    sent.push(pathname)
    if (pathname.endsWith('initiate')) return Response.json({ redirect_uri: world.address })
    if (pathname.endsWith('session'))
      return Response.json({}, { status: world.isSignedIn ? 200 : 401 })
    if (world.isDown) return Response.json({}, { status: 503 })
    world.isSignedIn = true
    return Response.json({ id_token: 'i1' })
  })
  const core = createCore({ baseUrl: 'http://service.test', projectKey: 'P1', transport })
  const kept = new Map<string, string>()
  const createStore = (): StateStore => ({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  })
  let store = createStore()
  return {
    sent,
    world,
    kept,
    /** A new page of the same tab. */
    reload: () => void (store = createStore()),
    start: () => startSignIn(core, { clientId: 'web', redirectUri: 'https://app.test/in', store }),
    complete: (query: string, call: { signal?: AbortSignal } = {}) =>
      completeSignIn(core, `https://app.test/in?${query}`, { store, ...call }),
    completeAt: (address: string) => completeSignIn(core, address, { store }),
    withoutStore: (query: string) => completeSignIn(core, `https://app.test/in?${query}`),
  }
}
const refused = (said: string) => ({
  code: 'SIGN_IN_REFUSED',
  message: `Cannot complete the sign-in: ${said}`,
})

describe('the state of a sign-in', () => {
  it('is accepted, with one request for all calls of a page', async () => {
    const { start, complete, sent } = signIn()
    expect(await start()).toMatchObject({ state: 'mine' })
    // React's StrictMode runs an effect, ends it, and runs it again.
    const controller = new AbortController()
    const ended = complete('code=c&state=mine', { signal: controller.signal })
    const again = complete('code=c&state=mine')
    controller.abort()
    await expect(ended).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
    expect(await again).toEqual({ id_token: 'i1' })
    expect(await complete('code=c&state=mine')).toEqual({ id_token: 'i1' })
    expect(sent).toEqual(['/iam/v4/idp/initiate', '/iam/v4/idp/callback'])
  })

  it('is accepted after a reload if the first request created the session', async () => {
    const { start, complete, reload, sent } = signIn()
    await start()
    await complete('code=c&state=mine')
    reload()
    expect(await complete('code=c&state=mine')).toEqual({})
    expect(sent.slice(2)).toEqual(['/iam/v4/oidc/session'])
  })

  it('is sent again after a reload if the first request was lost', async () => {
    const { start, complete, reload, sent, world } = signIn()
    world.isDown = true
    await start()
    await expect(complete('code=c&state=mine')).rejects.toMatchObject({ code: 'REQUEST_REFUSED' })
    world.isDown = false
    reload()
    expect(await complete('code=c&state=mine')).toEqual({ id_token: 'i1' })
    expect(sent.slice(-2)).toEqual(['/iam/v4/oidc/session', '/iam/v4/idp/callback'])
  })

  it('is not consumed by forged callbacks in the same tab', async () => {
    const { start, complete } = signIn()
    await start()
    for (const forged of ['code=c&state=theirs', 'error=x&state=theirs', 'code=c', 'error=x', '']) {
      await expect(complete(forged)).rejects.toMatchObject({ code: 'SIGN_IN_REFUSED' })
    }
    expect(await complete('code=c&state=mine')).toEqual({ id_token: 'i1' })
  })

  it('is accepted for each of several sign-ins that a tab started', async () => {
    const { start, complete, world } = signIn()
    await start()
    world.address = 'https://id.test/auth?state=other'
    await start()
    expect(await complete('code=c&state=mine')).toEqual({ id_token: 'i1' })
    expect(await complete('code=d&state=other')).toEqual({ id_token: 'i1' })
  })

  it('is checked when the saved ones are damaged', async () => {
    const { complete, kept } = signIn()
    for (const damaged of [
      'mine',
      '{"state":"mine"}',
      'null',
      '[null]',
      '["mine"]',
      '[{"state":1}]',
    ]) {
      kept.set('servicekit.state', damaged)
      await expect(complete('code=c&state=mine')).rejects.toMatchObject(refused('unknown state'))
    }
  })

  it('is rejected if no sign-in was started: the link may be forged', async () => {
    const { complete, sent } = signIn()
    await expect(complete('code=c&state=theirs')).rejects.toMatchObject(refused('unknown state'))
    expect(sent).toEqual([])
  })

  it.each([
    '/in?code=c&state=mine',
    'com.example.app:/in?code=c&state=mine',
    'com.example.app://in?code=c&state=mine#_=_',
    'https://app.test/in?code=c&state=mine#/cart?code=d&state=theirs',
  ])('is read from %s', async (address) => {
    const { start, completeAt } = signIn()
    await start()
    expect(await completeAt(address)).toEqual({ id_token: 'i1' })
  })

  it('is rejected if it differs from the saved one', async () => {
    const { start, complete } = signIn()
    await start()
    await expect(complete('code=c&state=theirs')).rejects.toMatchObject(refused('unknown state'))
  })

  it('is not compared if the URL of the service has none', async () => {
    const { start, complete } = signIn('https://id.test/auth')
    expect(await start()).toMatchObject({ state: undefined })
    expect(await complete('code=c&state=any')).toEqual({ id_token: 'i1' })
  })

  it('is not compared without a store, as on a server', async () => {
    const { withoutStore } = signIn()
    expect(await withoutStore('code=c&state=any')).toEqual({ id_token: 'i1' })
  })

  it('cannot be saved in a browser that denies its storage, or has no room in it', async () => {
    const denied = { code: 'SIGN_IN_REFUSED', cause: expect.any(DOMException) }
    const refusal = 'the browser refuses to store its state'
    const { start, complete, kept, withoutStore } = signIn()
    kept.set = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    await expect(start()).rejects.toMatchObject({
      ...denied,
      message: expect.stringContaining(`Cannot start the sign-in: ${refusal}`),
    })
    await expect(complete('code=c&state=mine')).rejects.toMatchObject(refused('unknown state'))
    vi.stubGlobal('window', {
      get sessionStorage() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    await expect(withoutStore('code=c&state=mine')).rejects.toMatchObject({
      ...denied,
      message: expect.stringContaining(`Cannot complete the sign-in: ${refusal}`),
    })
  })

  it('reports the error of the callback URL, with its description in one line', async () => {
    const { start, complete } = signIn()
    await start()
    const description = encodeURIComponent('The account is\nlocked')
    const back = complete(`error=access_denied&error_description=${description}&state=mine`)
    await expect(back).rejects.toMatchObject({
      code: 'SIGN_IN_REFUSED',
      message: 'Cannot complete the sign-in: access_denied\n  message: The account is locked',
      details: { message: 'The account is\nlocked' },
    })
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
