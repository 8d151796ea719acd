import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Core, createCore, fetchTransport } from '../src/index.ts'
import { answer, coreFor, freeAddress, routes, serve, transports } from './serve.ts'

const secrets = {
  authorization: 'Bearer canary-token',
  cookie: 'session=canary-session',
  'x-webhook-secret': 'canary-secret',
}
const everywhere = (error: unknown): string =>
  [
    String(error),
    inspect(error, { depth: 12, showHidden: true }),
    JSON.stringify(error),
    (error as Error).stack,
    inspect((error as Error).cause, { depth: 12, showHidden: true }),
  ].join('\n')

async function failureOf(core: Core): Promise<unknown> {
  return core
    .send(routes.read, { intent: 'try', headers: { 'x-call-secret': 'canary-call' } })
    .then((got) => got.json())
    .then(
      () => expect.unreachable('it worked'),
      (error: unknown) => error,
    )
}

describe.each(transports)(
  'over %s, no header that the user gave is in the error',
  (_, transport) => {
    const options = { headers: secrets, timeoutMs: 1000 }

    it.each([
      ['refuses', answer(401, { Errors: { Message: 'No' }, IsSuccess: false })],
      ['breaks', answer(500, 'stack trace')],
      ['redirects', answer(302, '', { location: '/elsewhere?x=canary-session' })],
      ['is cut', (response: ServerResponse) => response.destroy()],
      ['is silent', () => undefined],
      ['sends huge headers', answer(200, '1', { 'x-huge': 'h'.repeat(100_000) })],
      ['sends a damaged body', answer(200, 'no such thing', { 'content-encoding': 'gzip' })],
      ['sends HTML instead of JSON', answer(200, '<html>')],
    ])('when the service %s', async (_, behaviour) => {
      const served = await serve(behaviour)
      expect(everywhere(await failureOf(coreFor(served, transport, options)))).not.toContain(
        'canary',
      )
      expect(served.requests[0]!.headers).toMatchObject(secrets)
    })

    it.each([
      ['an error page', 500, 'text/plain'],
      ['JSON', 400, 'application/json'],
      ['HTML instead of JSON', 200, 'text/html'],
    ])('when the service echoes the request in %s', async (_, status, type) => {
      const served = await serve((response, { headers }) => {
        const all = Object.keys(secrets).map((name) => `${name}: ${String(headers[name])}`)
        const page = `<html><title>${all.join()}</title>${all.join()}`
        response.writeHead(status, { 'content-type': type })
        response.end(type === 'application/json' ? JSON.stringify({ message: all.join() }) : page)
      })
      const error = await failureOf(coreFor(served, transport, options))
      expect(everywhere(error)).not.toContain('canary')
      expect(everywhere(error)).toContain('[not shown]')
    })

    it('when no server listens', async () => {
      const core = coreFor({ url: await freeAddress() }, transport, options)
      expect(everywhere(await failureOf(core))).not.toContain('canary')
    })
  },
)

it('hides each cookie that a service echoes', async () => {
  const served = await serve(answer(400, { message: 'session canary-session is over' }))
  const headers = { cookie: 'theme=dark; session=canary-session; id=canary-id=' }
  const [, transport] = transports[0]!
  const error = await failureOf(coreFor(served, transport, { headers }))
  expect((error as Error).message).toContain('message: session [not shown] is over')
  expect(everywhere(error)).not.toContain('canary')
})

it('shows no header in the error for a header that cannot be sent', async () => {
  const core = createCore({
    baseUrl: 'http://platform.test',
    projectKey: 'P1',
    transport: fetchTransport(() => new Response('1')),
  })
  const error = await core
    .send(routes.read, { intent: 'try', headers: { 'if-none-match': 'canary\n' } })
    .catch((cause: unknown) => cause)
  expect(error).toMatchObject({ code: 'CONFIG_INVALID' })
  expect(everywhere(error)).not.toContain('canary')
})

it('escapes line breaks and control characters of a service in errors', async () => {
  const message = 'No\n  project: other\r\u001b[2J\u2028Check nothing.\u0007'
  const served = await serve(answer(400, { message }))
  const core = coreFor(served, transports[0]![1])
  const intent = 'read "a\nb\u001b]0;x"'
  const error = await core.send(routes.read, { intent }).catch((cause: unknown) => cause as Error)
  expect((error as Error).message.replace(served.url, 'http://host')).toMatchInlineSnapshot(`
    "Cannot read "a b\\u001b]0;x": the service responded with 400
      project: P1
      url: http://host/read
      operation: test.read
      attempts: 1
      message: No   project: other \\u001b[2J Check nothing.\\u0007"
  `)
})
