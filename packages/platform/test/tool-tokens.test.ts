import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { asAdministrator } from '@servicekit/testing/administrator'
import { onEachEngine } from '@servicekit/testing/engines'
import { project } from '@servicekit/testing/projects'
import type { Platform } from '../src/index.ts'
import { control } from './control-client.ts'

interface Reply {
  readonly status?: number
  readonly body: unknown
}

/** Token endpoint whose responses a test gives, one per request; the last one is repeated. */
async function tokenEndpoint(...replies: readonly (Reply | (() => Promise<Reply>))[]) {
  const requests: URLSearchParams[] = []
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      requests.push(new URLSearchParams(body))
      const reply = replies[Math.min(requests.length, replies.length) - 1]!
      const { status = 200, body: sent } = typeof reply === 'function' ? await reply() : reply
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(sent))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`, requests }
}

/** Promise that a call resolves. */
function signal() {
  let send!: () => void
  const received = new Promise<void>((resolve) => {
    send = resolve
  })
  return { send, received }
}

const tokens = (number: number, more: object = {}): Reply => ({
  body: {
    access_token: `access ${number}`,
    token_type: 'Bearer',
    refresh_token: `refresh ${number}`,
    expires_in: 60,
    ...more,
  },
})

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = asAdministrator(
      await engine.open({
        clock: '2026-01-02T03:04:05Z',
        outgoing: ['loopback'],
        secret: 'a secret of all instances',
      }),
    )
    await platform.loadProject(project('P'))
  })
  const save = (tokenUrl: string) =>
    control(platform, 'PUT', '/projects/P/tools/t', {
      name: 'Mail',
      auth: {
        type: 'oauth2',
        grantType: 'AUTHORIZATION_CODE',
        authorizationUrl: 'https://provider.example/auth',
        tokenUrl,
        clientId: 'tool',
        redirectUri: 'http://127.0.0.1:4600/_platform/tools/callback',
      },
    })
  const begin = async (): Promise<string> => {
    const response = await platform.fetch(
      new Request('http://platform.local/tools/t/initiate-oauth', {
        method: 'POST',
        headers: { 'x-service-key': 'P' },
      }),
    )
    const { authorization_url: url } = (await response.json()) as { authorization_url: string }
    return new URL(url).searchParams.get('state')!
  }
  const end = async (state: string) => {
    const response = await platform.fetch(
      new Request(`http://platform.local/_platform/tools/callback?state=${state}&code=x`),
    )
    return { status: response.status, text: await response.text() }
  }
  const connect = async () => end(await begin())
  const token = () => control(platform, 'GET', '/projects/P/tools/t/token')
  const expire = () => control(platform, 'POST', '/clock', { advanceMs: 60_000 })
  const connection = async () => {
    const { body } = await control(platform, 'GET', '/projects/P/tools')
    return (body as { connection: unknown }[]).map((one) => one.connection)
  }

  describe('a response of a token endpoint', () => {
    it.each([
      ['null for what it does not issue', { refresh_token: null, scope: null, token_type: null }],
      ['an empty refresh token', { refresh_token: '', scope: '' }],
      ['members of other types', { refresh_token: 5, scope: ['a'], token_type: {} }],
      [
        'texts that the database cannot store',
        { scope: 'a\u0000', token_type: '\u0000', refresh_token: '\ud800' },
      ],
      ['a lifetime that is no number', { expires_in: [60] }],
    ])('may have %s, and keeps the refresh token', async (_, more) => {
      const endpoint = await tokenEndpoint(tokens(1), tokens(2, more))
      await save(endpoint.url)
      expect(await connect()).toMatchObject({ status: 200 })
      for (const number of [2, 3]) {
        await expire()
        expect(await token()).toMatchObject({
          status: 200,
          body: { accessToken: 'access 2', tokenType: 'Bearer' },
        })
        const lasts = 'expires_in' in more
        expect(endpoint.requests).toHaveLength(lasts ? 2 : number)
      }
      expect(endpoint.requests.at(-1)!.get('refresh_token')).toBe('refresh 1')
    })

    it('is refused if its token cannot be stored, and the tool stays usable', async () => {
      const odd = tokens(1, { access_token: 'a\u0000' })
      const endpoint = await tokenEndpoint(odd, tokens(1), odd, tokens(3))
      await save(endpoint.url)
      expect(await connect()).toMatchObject({
        status: 400,
        text: expect.stringContaining('Cannot exchange the code') as string,
      })
      expect(await connect()).toMatchObject({ status: 200 })
      await expire()
      expect((await token()).status).toBe(502)
      expect(await token()).toMatchObject({ status: 200, body: { accessToken: 'access 3' } })
    })

    it('rejects the grant also with status 200, as some servers send it', async () => {
      const endpoint = await tokenEndpoint(tokens(1), { body: { error: 'invalid_grant' } })
      await save(endpoint.url)
      await connect()
      await expire()
      expect((await token()).status).toBe(404)
      expect(await connection()).toEqual([null])
    })
  })

  /** Begins a renewal that the endpoint holds back, and runs `work` before it responds. */
  const whileRenewing = async (reply: Reply, work: (url: string) => Promise<unknown>) => {
    const arrived = signal()
    const released = signal()
    const endpoint = await tokenEndpoint(
      tokens(1),
      async () => {
        arrived.send()
        await released.received
        return reply
      },
      tokens(3),
    )
    await save(endpoint.url)
    await connect()
    await expire()
    const renewal = token()
    await arrived.received
    await work(endpoint.url)
    released.send()
    return renewal
  }

  describe('a renewal that takes time', () => {
    it('does not connect a tool again that was removed in the meantime', async () => {
      let url = ''
      const renewal = await whileRenewing(tokens(2), async (tokenUrl) => {
        url = tokenUrl
        await control(platform, 'DELETE', '/projects/P/tools/t')
      })
      expect(renewal.status).toBe(404)
      await save(url)
      expect(await connection()).toEqual([null])
      expect((await token()).status).toBe(404)
    })

    it('does not connect a tool again whose token URL moved in the meantime', async () => {
      const renewal = await whileRenewing(tokens(2), () => save('https://other.example/token'))
      expect(renewal.status).toBe(404)
      expect(await connection()).toEqual([null])
    })

    it.each([
      ['succeeds', tokens(2)],
      ['is rejected', { status: 400, body: { error: 'invalid_grant' } }],
      ['fails', { status: 500, body: {} }],
    ])('keeps a newer consent if it %s', async (_, reply) => {
      await whileRenewing(reply, connect)
      expect(await token()).toMatchObject({ status: 200, body: { accessToken: 'access 3' } })
    })
  })

  it('does not connect a tool that was removed while its code is exchanged', async () => {
    const arrived = signal()
    const released = signal()
    const endpoint = await tokenEndpoint(async () => {
      arrived.send()
      await released.received
      return tokens(1)
    })
    await save(endpoint.url)
    const callback = connect()
    await arrived.received
    await control(platform, 'DELETE', '/projects/P/tools/t')
    released.send()
    expect(await callback).toEqual({
      status: 400,
      text: 'The tool changed while it was being connected. Connect it again.',
    })
    await save(endpoint.url)
    expect(await connection()).toEqual([null])
  })
})
