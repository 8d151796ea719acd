import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSession } from './auth.ts'
import { createCore } from './core.ts'
import { getMe } from './iam.ts'
import { browserTabs } from './tabs.ts'
import { fetchTransport } from './transport-fetch.ts'

afterEach(() => vi.unstubAllGlobals())

/**
 * Service whose session has expired until renewed; the renewal is pending until `renew` is
 * called.
 */
function service() {
  let isValid = false
  let renew = (): void => undefined
  let asked = (): void => undefined
  const held = new Promise<void>((resolve) => (renew = resolve))
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const transport = fetchTransport(async ({ url }) => {
    if (!url.endsWith('/token'))
      return Response.json({ data: { itemId: 'u1' } }, { status: isValid ? 200 : 401 })
    asked()
    await held
    isValid = true
    return Response.json({ token_type: 'Bearer' })
  })
  const options = { baseUrl: 'http://service.test', projectKey: 'P1', transport }
  return { core: createCore({ ...options, retry: { attempts: 1 } }), renew, isAsked }
}

describe('in a page', () => {
  const locks = {
    request: () => Promise.reject(new DOMException('blocked', 'SecurityError')),
  }
  it.each([
    ['neither locks nor channels', { BroadcastChannel: undefined, navigator: {} }],
    ['channels alone', { navigator: {} }],
    ['locks that refuse, as where storage is blocked', { navigator: { locks } }],
    ['locks that refuse, and no channels', { navigator: { locks }, BroadcastChannel: undefined }],
  ])('a session is renewed with %s', async (_, means) => {
    for (const [name, value] of Object.entries({ window: {}, ...means })) vi.stubGlobal(name, value)
    const { core, renew } = service()
    renew()
    const session = createSession(core, { clientId: 'web' })
    expect(await getMe(session.core)).toMatchObject({ itemId: 'u1' })
    session.close()
  })

  it('a call in flight completes after its session is closed', async () => {
    vi.stubGlobal('window', {})
    vi.stubGlobal('navigator', {})
    const { core, renew, isAsked } = service()
    const session = createSession(core, { clientId: 'web' })
    const me = getMe(session.core)
    await isAsked
    session.close()
    renew()
    expect(await me).toMatchObject({ itemId: 'u1' })
  })
})

it('opens no channel outside of a page, because it would keep the process alive', () => {
  const Channel = vi.fn()
  vi.stubGlobal('BroadcastChannel', Channel)
  browserTabs('P1').listen(() => undefined)()
  expect(Channel).not.toHaveBeenCalled()
})
