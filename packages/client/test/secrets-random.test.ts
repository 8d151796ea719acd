import fc from 'fast-check'
import { inspect } from 'node:util'
import { isDeep } from '@servicekit/testing/is-deep'
import { expect, it, vi } from 'vitest'
import * as auth from '../src/auth.ts'
import * as iam from '../src/iam.ts'
import * as idp from '../src/idp.ts'
import { type Core, createCore, fetchTransport, type Hooks } from '../src/index.ts'
import * as storage from '../src/storage.ts'
import { tokenSource, withToken } from '../src/token.ts'
import * as webhooks from '../src/webhooks.ts'

// The large version makes ten times as many calls, on a machine that may be busy.
if (isDeep) vi.setConfig({ testTimeout: 600_000 })

const secret = (kind: string): string => `canary+${kind}/x`

/** Calls with a secret in a header, a body, a query or a signed URL. */
const calls: readonly ((core: Core) => Promise<unknown>)[] = [
  (core) => auth.activate(core, { code: secret('code'), password: secret('password') }),
  (core) => auth.completeSignIn(core, `https://a.test/?code=${secret('code')}&state=s`),
  (core) => iam.createUser(core, { email: 'a@example.com', password: secret('password') }),
  (core) => idp.activate(core, { code: secret('code'), password: secret('password') }),
  (core) => idp.createUser(core, { email: 'a', userName: 'a', password: secret('password') }),
  (core) =>
    webhooks.save(
      core,
      { url: 'https://a.test', secret: { value: secret('hook'), headerKey: 'x-hook' } },
      { token: secret('token') },
    ),
  (core) => iam.getMe(core),
  (core) => storage.listConfigurations(core),
  (core) => storage.getDownloadUrl(core, { fileId: 'f1' }),
  (core) => storage.upload(core, new Uint8Array(3), { name: 'a' }),
  (core) => {
    const source = tokenSource(core, { clientId: 'j', clientSecret: secret('secret') })
    return iam.getMe(withToken(core, source))
  },
]

/** Failure modes of a service: echo the request, truncate it, break the connection. */
const failures = ['echo', 'echoJson', 'ok', 'okJson', 'cut', 'break', 'fields'] as const

const failing =
  (kind: (typeof failures)[number], status: number) =>
  async (request: Request): Promise<Response> => {
    if (kind === 'break') throw new Error('the connection failed')
    const body = await request.text()
    const headers = JSON.stringify(Object.fromEntries(request.headers))
    const { search } = new URL(request.url)
    const isForm = request.headers.get('content-type')?.includes('form')
    const form = Object.fromEntries(new URLSearchParams(isForm ? body : search))
    const all = `${headers} ${body} ${search} ${JSON.stringify(form)}`
    const storageKey = secret('key')
    if (kind === 'echo') return new Response(all, { status })
    if (kind === 'echoJson') return Response.json({ message: all, errors: { all } }, { status })
    if (kind === 'fields') return Response.json({ isSuccess: false, errors: { password: all } })
    // Secrets of an instance, in a response of the wrong shape.
    if (kind === 'okJson')
      return Response.json({ isSuccess: true, key: storageKey, url: 'x:canary' })
    if (kind === 'ok') return new Response(`not JSON ${all}`)
    return new Response(`{"all": ${JSON.stringify(all)}`)
  }

const everywhere = (error: unknown): string =>
  [
    String(error),
    inspect(error, { depth: 12, showHidden: true }),
    JSON.stringify(error),
    (error as Error | undefined)?.stack,
    inspect((error as Error | undefined)?.cause, { depth: 12, showHidden: true }),
  ].join('\n')

it('shows no secret in any failure, to hooks or in an error', async () => {
  const events: unknown[] = []
  const hooks: Hooks = {
    before: (event) => void events.push(event),
    after: (...all) => void events.push(all),
  }
  let errors = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...calls),
      fc.constantFrom(...failures),
      fc.constantFrom(400, 401, 403, 404, 409, 422, 423, 429, 500, 503),
      async (call, kind, status) => {
        const core = createCore({
          baseUrl: 'http://service.test',
          projectKey: 'P1',
          transport: fetchTransport(failing(kind, status)),
          headers: { authorization: `Bearer ${secret('bearer')}`, cookie: `s=${secret('cookie')}` },
          retry: { attempts: 2, baseDelayMs: 0, maxDelayMs: 0 },
          hooks,
        })
        const error = await call(core).then(
          () => undefined,
          (cause: unknown) => cause,
        )
        if (error !== undefined) errors++
        expect(everywhere(error)).not.toContain('canary')
      },
    ),
    { numRuns: isDeep ? 10_000 : 200 },
  )
  expect(errors).toBeGreaterThan(isDeep ? 8000 : 160)
  expect(JSON.stringify(events)).not.toContain('canary')
})
