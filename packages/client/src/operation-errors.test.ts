import { describe, expect, it } from 'vitest'
import { activate, getSession } from './auth.ts'
import { createCore } from './core.ts'
import { RequestError } from './errors.ts'
import { isErrorOf } from './operation-errors.ts'
import { fetchTransport } from './transport-fetch.ts'

const failure = async (answer: () => Response): Promise<unknown> => {
  const transport = fetchTransport(answer)
  const core = createCore({
    baseUrl: 'http://service.test',
    projectKey: 'P1',
    transport,
    retry: { attempts: 1 },
  })
  return activate(core, { code: 'c', password: 'p' }).then(
    () => expect.unreachable('it worked'),
    (error: unknown) => error,
  )
}

describe('isErrorOf', () => {
  it.each<[string, () => Response]>([
    ['a refusal', () => new Response('', { status: 400 })],
    ['a limit', () => new Response('', { status: 429 })],
    ['a failure at 200', () => Response.json({ isSuccess: false })],
    ['what is not JSON', () => new Response('<html>')],
    [
      'no answer',
      () => {
        throw new Error('no network')
      },
    ],
  ])('knows %s of its operation, and of no other', async (_, answer) => {
    const error = await failure(answer)
    expect(isErrorOf(error, 'auth.activate')).toBe(true)
    expect(isErrorOf(error, 'auth.getSession')).toBe(false)
  })

  it('says no to what is no error of a request', () => {
    const other = new RequestError('Could not upload', { code: 'UPLOAD_FAILED' })
    for (const error of [undefined, null, 'no', new Error('no'), { facts: {} }, other]) {
      expect(isErrorOf(error, 'auth.activate')).toBe(false)
    }
  })

  it('leads to what was said', async () => {
    const refuse = () => Response.json({ error: 'session_expired' }, { status: 403 })
    const transport = fetchTransport(refuse)
    const core = createCore({ baseUrl: 'http://service.test', projectKey: 'P1', transport })
    const error: unknown = await getSession(core).catch((cause: unknown) => cause)
    if (!isErrorOf(error, 'auth.getSession')) throw error
    expect(error).toMatchObject({ status: 403, body: { error: 'session_expired' } })
  })
})
