import { randomBytes } from 'node:crypto'
import { knowledge, tools, ValidationDetail } from '@servicekit/contract'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { asAdministrator } from '@servicekit/testing/administrator'
import type { Platform, PlatformOptions } from '../src/index.ts'
import { control } from './control-client.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { project } from '@servicekit/testing/projects'

const redirectUri = 'http://127.0.0.1:4600/_platform/tools/callback'
let server: Server
let issuer = ''
beforeAll(async () => {
  server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // The provider warns about its development settings.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'tool',
        client_secret: 'a secret & more',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    issueRefreshToken: () => true,
    // A refresh token that is used twice counts as stolen: all tokens of its grant are
    // revoked.
    rotateRefreshToken: true,
    cookies: { keys: ['a'] },
    pkce: { required: () => true },
    ttl: {
      Interaction: 600,
      Session: 600,
      Grant: 600,
      AccessToken: 600,
      IdToken: 600,
      RefreshToken: 600,
    },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (request.url !== '/revoked') return handle(request, response)
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end('{"error":"invalid_grant"}')
  })
  warn.mockRestore()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

interface TokenServer {
  readonly url: string
  /** Bodies of the requests. */
  readonly requests: readonly string[]
  readonly close: () => void
}

/** Starts a token endpoint that issues tokens with any lifetime to everyone. */
async function tokenServer(lifetime: unknown = 3600): Promise<TokenServer> {
  const requests: string[] = []
  const issuing = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push(body)
      const count = requests.length
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          access_token: `access ${count}`,
          refresh_token: `refresh ${count}`,
          expires_in: lifetime,
        }),
      )
    })
  })
  await new Promise<void>((resolve) => {
    issuing.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(issuing.address() as AddressInfo).port}/token`,
    requests,
    close: () => {
      issuing.closeAllConnections()
      issuing.close()
    },
  }
}

/** OAuth settings of the tool in these tests. */
const oauth = () => ({
  type: 'oauth2',
  grantType: 'AUTHORIZATION_CODE',
  authorizationUrl: `${issuer}/auth`,
  tokenUrl: `${issuer}/token`,
  clientId: 'tool',
  clientSecret: 'a secret & more',
  redirectUri,
  scopes: ['openid'],
  issuer,
})

/** Logs in and consents, as a user with a browser would. @returns the address of the callback. */
async function agree(address: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = address
  let body: URLSearchParams | undefined
  for (let step = 0; step < 12; step++) {
    if (url.startsWith(redirectUri)) return new URL(url)
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body ? { body } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0]!.split('=') as [string, string]
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    body = undefined
    if (location) {
      url = new URL(location, url).href
      continue
    }
    const page = await response.text()
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!prompt) throw new Error(`${response.status} ${page.slice(0, 500)}`)
    body = new URLSearchParams({ prompt, login: 'someone', password: 'any' })
  }
  throw new Error('The flow does not end.')
}

onEachEngine((engine) => {
  let platform: Platform
  let location: Pick<PlatformOptions, 'databaseUrl'>
  beforeAll(async () => {
    location = await engine.location()
    platform = asAdministrator(
      await engine.open({
        ...location,
        clock: '2026-01-02T03:04:05Z',
        outgoing: ['loopback'],
        secret: 'a secret of all instances',
      }),
    )
    for (const key of ['P', 'Q']) await platform.loadProject(project(key))
    await control(platform, 'PUT', '/projects/P/tools/oauth', {
      name: 'Mail',
      auth: oauth(),
    })
    await control(platform, 'PUT', '/projects/P/tools/plain', { name: 'Plain' })
  })
  const call = async (method: string, path: string, body?: unknown, key: string | null = 'P') => {
    const response = await platform.fetch(
      new Request(`http://platform.local${path}`, {
        method,
        headers: key === null ? {} : { 'x-service-key': key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    return { status: response.status, body: JSON.parse(text) as unknown }
  }
  const begin = async () => {
    const { body } = await call('POST', '/tools/oauth/initiate-oauth')
    return tools.ToolOauth.parse(body)
  }
  const callback = async (search: string) => {
    const response = await platform.fetch(
      new Request(`http://platform.local/_platform/tools/callback${search}`, {
        headers: { accept: 'application/json' },
      }),
    )
    return { status: response.status, body: (await response.json()) as { error?: string } }
  }

  describe('OAuth', () => {
    it('starts with all parameters that an authorization server requires', async () => {
      const begun = await begin()
      expect(begun.tool_id).toBe('oauth')
      const { searchParams: sent } = new URL(begun.authorization_url)
      expect(Object.fromEntries(sent)).toMatchObject({
        client_id: 'tool',
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid',
        code_challenge_method: 'S256',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      })
      expect(sent.get('state')!.length).toBeGreaterThan(40)
      expect((await begin()).authorization_url).not.toBe(begun.authorization_url)
    })

    it('gets tokens of a real authorization server, once per state', async () => {
      const { authorization_url } = await begin()
      const { search } = await agree(authorization_url)
      expect(await callback(search)).toEqual({
        status: 200,
        body: { toolId: 'oauth', scope: 'openid' },
      })
      const { body } = await control(platform, 'GET', '/projects/P/tools')
      expect(body).toMatchObject([{ itemId: 'oauth', connection: { scope: 'openid' } }, {}])
      expect(JSON.stringify(body)).not.toContain('a secret')
      const token = await control(platform, 'GET', '/projects/P/tools/oauth/token')
      expect(token.body).toEqual({
        accessToken: expect.stringMatching(/^[\w-]{43}$/) as string,
        tokenType: 'Bearer',
        scope: 'openid',
        expiresAt: '2026-01-02T03:14:05.000Z',
      })
      for (const other of ['/projects/P/tools/plain/token', '/projects/Q/tools/oauth/token']) {
        expect((await control(platform, 'GET', other)).status).toBe(404)
      }
      const again = await callback(search)
      expect([again.status, again.body.error]).toEqual([400, expect.stringContaining('used')])
    })

    it.runIf(engine.name === 'PostgreSQL')('keeps tokens encrypted, or not at all', async () => {
      const { body } = await control(platform, 'GET', '/projects/P/tools/oauth/token')
      const database = new Client(location.databaseUrl)
      await database.connect()
      const { rows } = await database.query('select * from servicekit.tool_tokens')
      const kept = await database.query('select auth from servicekit.tools')
      await database.end()
      expect(JSON.stringify(kept.rows)).toContain('"clientSecret":"sealed:')
      expect(JSON.stringify(kept.rows)).not.toContain('a secret')
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toContain((body as { accessToken: string }).accessToken)

      const { search } = await agree((await begin()).authorization_url)
      const bare = asAdministrator(
        await engine.open({ ...location, outgoing: ['loopback'], clock: '2026-01-02' }),
      )
      const ended = await bare.fetch(
        new Request(`http://platform.local/_platform/tools/callback${search}`),
      )
      expect(await ended.text()).toContain('SERVICEKIT_SECRET')
      const unread = await control(bare, 'GET', '/projects/P/tools/oauth/token')
      expect(unread.status).toBe(404)
    })

    it('renews an expired token once for concurrent callers', async () => {
      const token = async () => {
        const { status, body } = await control(platform, 'GET', '/projects/P/tools/oauth/token')
        return { status, ...(body as { accessToken: string; expiresAt: string; title: string }) }
      }
      await callback((await agree((await begin()).authorization_url)).search)
      const first = await token()
      expect(await token()).toEqual(first)
      const advance = (ms: number) => control(platform, 'POST', '/clock', { advanceMs: ms })
      for (let round = 0; round < 2; round++) {
        const before = await token()
        await advance(600_000)
        const [renewed, ...others] = await Promise.all([token(), token(), token()])
        expect(renewed!.status).toBe(200)
        expect(renewed!.accessToken).not.toBe(before.accessToken)
        expect(Date.parse(renewed!.expiresAt)).toBe(Date.parse(before.expiresAt) + 600_000)
        expect(others).toEqual([renewed, renewed])
      }
      // The tool's client secret is no longer valid: someone must correct it.
      const { body: tools } = await control(platform, 'GET', '/projects/P/tools')
      const shown = (tools as { itemId: string; name: string; auth: object }[]).find(
        ({ itemId }) => itemId === 'oauth',
      )!
      const save = (changes: object) =>
        control(platform, 'PUT', '/projects/P/tools/oauth', {
          name: shown.name,
          auth: { ...shown.auth, ...changes },
        })
      await save({ clientSecret: 'another one' })
      await advance(600_000)
      const passing = await token()
      expect([passing.status, passing.title]).toEqual([502, expect.stringContaining('401')])
      await save({ clientSecret: 'a secret & more' })
      // The listed tool may be sent back unchanged.
      await save({})
      expect((await token()).status).toBe(200)
    })

    it('disconnects the tool when the authorization server revokes the grant', async () => {
      await callback((await agree((await begin()).authorization_url)).search)
      const save = (tokenUrl: string) =>
        control(platform, 'PUT', '/projects/P/tools/oauth', {
          name: 'Mail',
          auth: { ...oauth(), tokenUrl },
        })
      await control(platform, 'POST', '/clock', { advanceMs: 600_000 })
      await save(`${issuer}/revoked`)
      for (const text of ['400', 'not connected']) {
        const { status, body } = await control(platform, 'GET', '/projects/P/tools/oauth/token')
        expect([status, body]).toMatchObject([404, { title: expect.stringContaining(text) }])
      }
      await save(oauth().tokenUrl)
    })

    describe('after the token URL moved to another origin', () => {
      let other: TokenServer
      beforeAll(async () => {
        other = await tokenServer()
        return () => other.close()
      })
      const put = (auth: object) =>
        control(platform, 'PUT', '/projects/P/tools/oauth', { name: 'Mail', auth })
      const connect = async () => {
        await put(oauth())
        await callback((await agree((await begin()).authorization_url)).search)
        await control(platform, 'POST', '/clock', { advanceMs: 600_000 })
      }
      const token = () => control(platform, 'GET', '/projects/P/tools/oauth/token')

      it('requires the client secret again instead of sending the stored one', async () => {
        await connect()
        const auth = { ...oauth(), clientSecret: '***' }
        expect((await put(auth)).status).toBe(200)
        for (const moved of [
          { ...auth, tokenUrl: other.url },
          { ...auth, tokenUrl: auth.tokenUrl.replace('http:', 'https:') },
          { ...auth, tokenUrl: undefined },
        ]) {
          expect(await put(moved)).toMatchObject({
            status: 400,
            body: { title: expect.stringContaining('Enter the client secret again') as string },
          })
        }
        const made = { name: 'New', auth: { ...auth, tokenUrl: other.url } }
        expect((await control(platform, 'PUT', '/projects/P/tools/new', made)).status).toBe(400)
        expect((await token()).status).toBe(200)
        expect(other.requests).toEqual([])
      })

      it.each([
        ['at once', []],
        ['by way of a tool without OAuth', [{ type: 'none' }]],
        [
          'by way of a tool without a token URL',
          [{ type: 'oauth2', grantType: 'CLIENT_CREDENTIALS' }],
        ],
      ])('sends no token of the old origin to the new one, %s', async (_, steps) => {
        await connect()
        for (const step of steps) expect((await put(step)).status).toBe(200)
        expect((await put({ ...oauth(), tokenUrl: other.url })).status).toBe(200)
        const { body } = await control(platform, 'GET', '/projects/P/tools')
        expect(body).toMatchObject([{ itemId: 'oauth', connection: null }, {}])
        expect((await token()).status).toBe(404)
        expect(other.requests).toEqual([])
      })

      it('sends no token of the old origin after an import of the tools', async () => {
        await connect()
        const { body } = await control(platform, 'GET', '/projects/P/export?secrets=true')
        const { rows, ...rest } = body as { rows: { tools: { item_id: string }[] } }
        const moved = rows.tools.map((row) =>
          row.item_id === 'oauth' ? { ...row, auth: { ...oauth(), tokenUrl: other.url } } : row,
        )
        const imported = { ...rest, rows: { tools: moved } }
        expect((await control(platform, 'POST', '/projects', imported)).status).toBe(200)
        expect((await token()).status).toBe(404)
        expect(other.requests).toEqual([])
        await put(oauth())
      })
    })

    it.each([1, 30, 0.001, 0, '20', 1e300, -5, null])(
      'renews a token once per call if its lifetime is %j s',
      async (lifetime) => {
        const other = await tokenServer(lifetime)
        onTestFinished(() => other.close())
        const auth = { ...oauth(), tokenUrl: other.url }
        await control(platform, 'PUT', '/projects/P/tools/oauth', { name: 'Mail', auth })
        const state = new URL((await begin()).authorization_url).searchParams.get('state')!
        expect((await callback(`?state=${state}&code=x`)).status).toBe(200)
        await control(platform, 'POST', '/clock', { advanceMs: 60_000 })
        const connected = other.requests.length
        const token = () => control(platform, 'GET', '/projects/P/tools/oauth/token')
        const calls = await Promise.all([token(), token(), token()])
        expect(calls.map(({ status }) => status)).toEqual([200, 200, 200])
        expect(other.requests.length - connected).toBeLessThanOrEqual(3)
        await control(platform, 'PUT', '/projects/P/tools/oauth', { name: 'Mail', auth: oauth() })
      },
    )

    it('rejects the code of another flow, a late code and an error', async () => {
      const mine = await begin()
      const { search } = await agree((await begin()).authorization_url)
      const state = new URL(mine.authorization_url).searchParams.get('state')!
      const swapped = new URLSearchParams(search)
      swapped.set('state', state)
      // The verifier belongs to the other flow, which the authorization server detects.
      expect((await callback(`?${swapped}`)).body.error).toContain('status 400')
      const late = await begin()
      const lateState = new URL(late.authorization_url).searchParams.get('state')!
      await control(platform, 'POST', '/clock', { advanceMs: 600_000 })
      expect((await callback(`?state=${lateState}&code=x`)).body.error).toContain('expired')
      const denied = new URL((await begin()).authorization_url).searchParams.get('state')!
      expect((await callback(`?state=${denied}&error=access_denied`)).body.error).toContain(
        'access_denied',
      )
      for (const search of ['', '?state=x', '?state=1.x&code=y', '?state=999999999.x&code=y']) {
        expect((await callback(search)).status).toBe(400)
      }
      const mixed = new URL((await begin()).authorization_url).searchParams.get('state')!
      const other = await callback(`?state=${mixed}&code=x&iss=https://other.example`)
      expect(other.body.error).toContain('another authorization server')
    })

    it('is rejected for a tool without OAuth and for a tool of another project', async () => {
      const plain = await call('POST', '/tools/plain/initiate-oauth')
      expect(plain.status).toBe(400)
      expect(ValidationDetail.parse(plain.body).detail[0]).toMatchObject({
        loc: ['path', 'tool_id'],
        type: 'value_error',
      })
      for (const path of ['/tools/none/initiate-oauth', '/tools/%00/initiate-oauth']) {
        const none = await call('POST', path)
        expect(none.status).toBe(404)
        ValidationDetail.parse(none.body)
      }
      expect((await call('POST', '/tools/oauth/initiate-oauth', undefined, 'Q')).status).toBe(404)
    })

    it('accepts the project of the query without the header, and rejects a different one', async () => {
      const path = '/tools/oauth/initiate-oauth?project_key='
      expect((await call('POST', `${path}P`, undefined, null)).status).toBe(200)
      expect((await call('POST', `${path}Q`)).status).toBe(404)
      expect((await call('POST', path, undefined, null)).status).toBe(400)
    })
  })

  describe('tutorials', () => {
    it('are saved with members that are not documented', async () => {
      const tutorial = { tutorial: '# Mail', examples: { send: 'Send …' }, extra: [1] }
      const { status, body } = await call('POST', '/tools/tutorial/plain', tutorial)
      expect(status).toBe(200)
      expect(tools.TutorialSaved.parse(body)).toMatchObject({
        is_success: true,
        item_id: 'plain',
        error: {},
      })
      const shown = await control(platform, 'GET', '/projects/P/tools')
      expect(shown.body).toMatchObject([{}, { itemId: 'plain', tutorial }])
    })

    it.each([
      ['none', {}, 404],
      ['plain', { tutorial: 1 }, 422],
      ['plain', { documentation_url: 'nothing' }, 400],
      ['plain', { tutorial: 'a\0b' }, 400],
      ['plain', undefined, 422],
    ])('of %s with %j are rejected', async (id, body, status) => {
      const answer = await call('POST', `/tools/tutorial/${id}`, body)
      expect(answer.status).toBe(status)
      ValidationDetail.parse(answer.body)
    })
  })

  describe('the agents of a tool', () => {
    it('are counted regardless of their status', async () => {
      const count = async (key = 'P') => {
        const { status, body } = await call('GET', '/tools/plain/agent-count', undefined, key)
        return status === 200 ? tools.AgentCount.parse(body) : status
      }
      expect(await count()).toEqual({
        success: true,
        message: 'No agents use this tool.',
        data: 0,
        status_code: 200,
      })
      for (const status of ['active', 'inactive', 'testing']) {
        await control(platform, 'PUT', `/projects/P/agents/${status}`, {
          name: status,
          status,
          toolIds: ['plain', 'other'],
        })
      }
      expect(await count()).toMatchObject({ data: 3, message: '3 agents use this tool.' })
      await control(platform, 'DELETE', '/projects/P/agents/testing')
      expect(await count()).toMatchObject({ data: 2 })
      expect(await count('Q')).toBe(404)
    })

    it('lose a tool that is removed', async () => {
      expect((await control(platform, 'DELETE', '/projects/P/tools/plain')).status).toBe(204)
      const { body } = await control(platform, 'GET', '/projects/P/agents')
      expect(body).toMatchObject([{ toolIds: ['other'] }, { toolIds: ['other'] }])
    })
  })

  describe('the knowledge base', () => {
    const agent_id = '5C7E1A90-0000-4000-8000-000000000001'
    const add = (changes: object = {}, key = 'P') =>
      call(
        'POST',
        '/kb/qa',
        { project_key: 'P', agent_id, question: 'q', answer: 'a', ...changes },
        key,
      )
    const find = async (search: string, key = 'P') => {
      const query = new URLSearchParams({ search })
      const { body } = await control(platform, 'GET', `/projects/${key}/knowledge?${query}`)
      return (body as { question: string }[]).map(({ question }) => question)
    }

    it('stores questions, and finds them by their words', async () => {
      const { status, body } = await add({
        question: 'How do I return an order?',
        answer: 'Open the order and choose Return within 30 days.',
      })
      expect(status).toBe(200)
      expect(knowledge.QuestionAdded.parse(body)).toMatchObject({ is_success: true, error: {} })
      await add({ question: 'When is my order delivered?', answer: 'Within three days.' })
      await add({ question: 'Wie heißt der Laden?', answer: 'Größe & Söhne' })
      expect(await find('return order')).toEqual(['How do I return an order?'])
      expect(await find('order')).toHaveLength(2)
      expect(await find('delivered tomorrow morning')).toEqual(['When is my order delivered?'])
      expect(await find('größe')).toEqual(['Wie heißt der Laden?'])
      expect(await find('order -delivered')).toEqual(['How do I return an order?'])
      expect(await find('-delivered')).toEqual([
        'Wie heißt der Laden?',
        'How do I return an order?',
      ])
      expect(await find('delivered or heißt')).toHaveLength(2)
      expect(await find('"order return"')).toHaveLength(2)
      expect(await find('"return an order"')).toEqual(['How do I return an order?'])
      const path = `https://a.example/it's?\\x`
      const long = randomBytes(1000).toString('hex')
      await add({ question: `Where is ${path}`, answer: long })
      expect(await find(path)).toEqual([`Where is ${path}`])
      expect(await find(long)).toEqual([`Where is ${path}`])
      for (const odd of [`'; drop`, '&|!()', '"', 'nowhere', ':*']) await find(odd)
      expect(await find('nowhere')).toEqual([])
      expect(await find('order', 'Q')).toEqual([])
    })

    it.each([
      [{ question: undefined }, 422, ['body', 'question']],
      [{ answer: '' }, 422, ['body', 'answer']],
      [{ agent_id: 'x' }, 422, ['body', 'agent_id']],
      [{ question: '  ' }, 400, ['body', 'question']],
      [{ answer: 'a\0' }, 400, ['body', 'answer']],
      [{ project_key: 'Q' }, 400, ['body', 'project_key']],
    ])('rejects %j', async (changes, status, loc) => {
      const answer = await add(changes)
      expect(answer.status).toBe(status)
      expect(ValidationDetail.parse(answer.body).detail[0]!.loc).toEqual(loc)
    })
  })
})
