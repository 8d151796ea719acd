import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getMe, listRoles } from '../src/iam.ts'
import { createCore, fetchTransport } from '../src/index.ts'
import { createServerClient, downloadToFile, forwardCookies, uploadFile } from '../src/server.ts'
import { answer, serve } from './serve.ts'

const user = { itemId: 'u1', email: 'ada@example.com', active: true }
const credentials = { clientId: 'job', clientSecret: 'canary-secret' }

/** Service that issues numbered tokens and accepts only the last one. */
function service(tokenBody: (token: string) => object) {
  const tokens: string[] = []
  const forms: object[] = []
  const fetch = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname.endsWith('/token')) {
      const form = Object.fromEntries(new URLSearchParams(await request.text()))
      forms.push(form)
      const token = `token-${tokens.length + 1}`
      tokens.push(token)
      return Response.json(tokenBody(token))
    }
    const isValid = request.headers.get('authorization') === `Bearer ${tokens.at(-1)}`
    return isValid
      ? Response.json({ data: user })
      : Response.json({ error: 'invalid_token' }, { status: 401 })
  }
  return { tokens, forms, fetch }
}
const clientOn = (served: ReturnType<typeof service>, now: () => number = Date.now) =>
  createServerClient({
    baseUrl: 'http://service.test',
    projectKey: 'P1',
    transport: fetchTransport(served.fetch),
    retry: { attempts: 1 },
    credentials: { ...credentials, now },
  })

describe('client credentials', () => {
  it.each([
    ['camelCase', (token: string) => ({ accessToken: token, expiresIn: 420 })],
    ['snake_case', (token: string) => ({ access_token: token, expires_in: 420.5 })],
    ['PascalCase', (token: string) => ({ AccessToken: token, ExpiresIn: '420' })],
  ])('fetch one token for many calls, returned as %s', async (_, body) => {
    const served = service(body)
    let now = 0
    const client = clientOn(served, () => now)
    await Promise.all(Array.from({ length: 100 }, () => client.iam.getMe()))
    now = 389_000
    await client.iam.getMe()
    expect(served.forms).toEqual([
      {
        grant_type: 'client_credentials',
        client_id: 'job',
        client_secret: 'canary-secret',
        org_id: 'default',
      },
    ])
    // It is renewed half a minute before it expires.
    now = 391_000
    await client.iam.getMe()
    expect(served.tokens).toHaveLength(2)
  })

  it('fetch another token once after a 401', async () => {
    const served = service((token) => ({ accessToken: token, expiresIn: 420 }))
    const client = clientOn(served)
    await client.iam.getMe()
    served.tokens.push('another')
    const refused = client.iam.getMe()
    await expect(refused).resolves.toMatchObject({ email: 'ada@example.com' })
    expect(served.tokens).toHaveLength(3)
  })

  it('never appear in a printed client or an error', async () => {
    const served = service(() => ({ accessToken: '' }))
    const client = clientOn(served)
    const error = await client.iam.getMe().catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'RESPONSE_INVALID' })
    const echo = createServerClient({
      baseUrl: 'http://service.test',
      projectKey: 'P1',
      retry: { attempts: 1 },
      transport: fetchTransport(
        async (request) => new Response(await request.text(), { status: 400 }),
      ),
      credentials: { ...credentials, clientSecret: 'canary/secret+1' },
    })
    const echoed = await echo.iam.getMe().catch((cause: unknown) => cause)
    expect(echoed).toMatchObject({ status: 400 })
    for (const shown of [client, error, echo, echoed]) {
      expect(inspect(shown, { depth: 9, showHidden: true }) + JSON.stringify(shown)).not.toContain(
        'canary',
      )
    }
  })

  it('are required', () => {
    expect(() => clientOn({ ...service(() => ({})) }, undefined)).not.toThrow()
    expect(() =>
      createServerClient({
        baseUrl: 'http://service.test',
        projectKey: 'P1',
        credentials: { clientId: 'job', clientSecret: '' },
      }),
    ).toThrow('credentials must contain a clientId and a clientSecret')
  })
})

describe('forwardCookies', () => {
  const core = createCore({
    baseUrl: 'http://service.test',
    projectKey: 'P1',
    transport: fetchTransport((request) => {
      const cookie = request.headers.get('cookie')
      return new Response(JSON.stringify({ data: { ...user, userName: cookie } }), {
        headers: [
          ['set-cookie', 'a=2; Path=/; HttpOnly; Expires=Wed, 21 Oct 2099 07:28:00 GMT'],
          ['set-cookie', 'gone=; Max-Age=0'],
        ],
      })
    }),
  })

  it('sends the cookies of one browser, and returns new cookies to it alone', async () => {
    const [ada, bob] = ['a=1; gone=x', 'a=bob'].map((cookie) => forwardCookies(core, cookie))
    expect((await getMe(ada!.core)).userName).toBe('a=1; gone=x')
    expect((await getMe(bob!.core)).userName).toBe('a=bob')
    expect((await getMe(ada!.core)).userName).toBe('a=2')
    expect(ada!.setCookie()).toEqual([
      'a=2; Path=/; HttpOnly; Expires=Wed, 21 Oct 2099 07:28:00 GMT',
      'gone=; Max-Age=0',
    ])
    expect((await getMe(core)).userName).toBeNull()
    expect(forwardCookies(core, null).setCookie()).toEqual([])
  })

  it('separates cookies by path, and drops expired ones', async () => {
    const lines = [
      'a=1; Path=/iam',
      'a=; path=/; expires=Mon, 01 Jan 2001 00:00:00 GMT',
      'b=2; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      'c=3; Max-Age=-1',
    ]
    const sent: (string | null)[] = []
    const transport = fetchTransport((request) => {
      sent.push(request.headers.get('cookie'))
      return Response.json(
        { data: user },
        { headers: lines.map((line): [string, string] => ['set-cookie', line]) },
      )
    })
    const plain = createCore({ baseUrl: 'http://service.test', projectKey: 'P1', transport })
    const forwarded = forwardCookies(plain, 'a=0; c=0')
    await getMe(forwarded.core)
    await getMe(forwarded.core)
    expect(forwarded.setCookie()).toEqual(lines)
    expect(sent).toEqual(['a=0; c=0', 'b=2'])
  })

  it('reads several Set-Cookie headers from undici', async () => {
    const served = await serve(
      answer(200, { data: [], totalCount: 0 }, { 'set-cookie': ['a=1', 'b=2; Path=/'] as never }),
    )
    const real = createCore({ baseUrl: served.url, projectKey: 'P1' })
    const forwarded = forwardCookies(real, undefined)
    await listRoles(forwarded.core).page()
    expect(forwarded.setCookie()).toEqual(['a=1', 'b=2; Path=/'])
  })
})

describe('files on disk', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'servicekit-client-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('are uploaded, with the MD5 that the caller passes, and downloaded', async () => {
    const stored: { body?: string; md5?: string | undefined } = {}
    const served = await serve((response, request) => {
      const { pathname } = new URL(request.url!, 'http://host')
      const reply = (body: unknown): void => void response.end(JSON.stringify(body))
      if (pathname.endsWith('/Gets')) reply([{ name: 'main', storageStrategy: 'Amazon' }])
      else if (pathname.endsWith('/GetPreSignedUrlForUpload')) {
        reply({ UploadUrl: `${served.url}/blob?sig=1`, FileId: 'f1' })
      } else if (pathname.endsWith('/GetFile')) reply({ url: `${served.url}/blob?sig=2` })
      else if (request.method === 'PUT') {
        const chunks: Buffer[] = []
        stored.md5 = request.headers['content-md5'] as string
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          stored.body = Buffer.concat(chunks).toString()
          response.end()
        })
      } else response.end(stored.body)
    })
    const core = createCore({ baseUrl: served.url, projectKey: 'P1' })
    const path = join(folder, 'text.txt')
    const contentMd5 = 'XUFAKrxLKna5cZ2REBfFkg=='
    await writeFile(path, 'hello')
    expect(await uploadFile(core, path, { contentMd5 })).toEqual({ fileId: 'f1', sizeBytes: 5 })
    expect(stored).toEqual({ body: 'hello', md5: contentMd5 })
    const copy = join(folder, 'copy.txt')
    expect(await downloadToFile(core, { fileId: 'f1' }, copy)).toBe(5)
    expect(await readFile(copy, 'utf8')).toBe('hello')
  })

  it('are left unchanged if a download breaks', async () => {
    const served = await serve((response, request) => {
      if (request.url!.includes('/GetFile')) response.end(`"${served.url}/blob"`)
      else {
        response.writeHead(200, { 'content-length': '100' })
        response.write('half', () => setTimeout(() => response.destroy(), 10))
      }
    })
    const core = createCore({ baseUrl: served.url, projectKey: 'P1' })
    const path = join(folder, 'half.txt')
    await expect(downloadToFile(core, { fileId: 'f1' }, path)).rejects.toThrow(
      'Cannot download the file',
    )
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
    // An existing file stays unchanged.
    await writeFile(path, 'old')
    await expect(downloadToFile(core, { fileId: 'f1' }, path)).rejects.toThrow(
      'Cannot download the file',
    )
    expect(await readFile(path, 'utf8')).toBe('old')
    expect((await readdir(folder)).filter((name) => name.startsWith('half'))).toEqual(['half.txt'])
  })
})
