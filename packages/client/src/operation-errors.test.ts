import { describe, expect, it } from 'vitest'
import { orThrowCause } from '../test/or-throw-cause.ts'
import { activate, getSession, startSignIn } from './auth.ts'
import { type Core, createCore } from './core.ts'
import { execute, listSchemas } from './data.ts'
import { RequestError } from './errors.ts'
import { getMe, getUser, listRoles } from './iam.ts'
import { getAccount } from './idp.ts'
import { listLanguages, listModules } from './localization.ts'
import { isErrorOf, type OperationId } from './operation-errors.ts'
import { getDownloadUrl, listConfigurations, upload } from './storage.ts'
import { countAgents, initiateOauth } from './tools.ts'
import { suggest } from './translation.ts'
import { fetchTransport } from './transport-fetch.ts'

const coreOf = (answer: () => Response): Core => {
  const options = { baseUrl: 'http://service.test', projectKey: 'P1', retry: { attempts: 1 } }
  return createCore({ ...options, transport: fetchTransport(answer) })
}
const configuration = { name: 'c', strategy: 'azure' }
const suggestion = {
  text: 'Save',
  from: 'en-US',
  to: 'de-DE',
  elementType: 'button',
  applicationContext: 'shop',
  detailContext: 'saves',
}
const failure = async (answer: () => Response): Promise<unknown> => {
  return activate(coreOf(answer), { code: 'c', password: 'p' }).then(
    () => expect.unreachable('it worked'),
    (error: unknown) => error,
  )
}

describe('isErrorOf', () => {
  it.each<[string, () => Response]>([
    ['a refusal', () => new Response('', { status: 400 })],
    ['a limit', () => new Response('', { status: 429 })],
    ['a failure at 200', () => Response.json({ isSuccess: false })],
    [
      'errors beside empty ones',
      () => Response.json({ errors: {}, validationErrors: { code: ['is used'] } }),
    ],
    ['what is not JSON', () => new Response('<html>')],
    [
      'no answer',
      () => {
        throw new Error('no network')
      },
    ],
  ])('recognizes %s of its operation, and of no other', async (_, answer) => {
    const error = await failure(answer)
    expect(isErrorOf(error, 'auth.activate')).toBe(true)
    expect(isErrorOf(error, 'auth.getSession')).toBe(false)
  })

  const list = async (all: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of all);
  }
  it.each<[OperationId, (core: Core) => Promise<unknown>]>([
    ['auth.initiate', (core) => startSignIn(core, { clientId: 'c', redirectUri: 'r' })],
    ['iam.getMe', (core) => getMe(core)],
    ['iam.getUser', (core) => getUser(core, { userId: 'u' })],
    ['iam.listRoles', (core) => list(listRoles(core))],
    ['idp.getAccount', (core) => getAccount(core)],
    ['storage.listConfigurations', (core) => listConfigurations(core)],
    ['storage.presignUpload', (core) => upload(core, new Blob([]), { name: 'a', configuration })],
    ['storage.getFile', (core) => getDownloadUrl(core, { fileId: 'f' })],
    ['data.listSchemas', (core) => list(listSchemas(core))],
    ['data.execute', (core) => orThrowCause(execute(core, { query: '{ A { b } }' }))],
    ['localization.listLanguages', (core) => listLanguages(core)],
    ['uilm.listModules', (core) => listModules(core, { family: 'uilm' })],
    ['translation.suggest', (core) => suggest(core, suggestion)],
    ['tools.initiateOauth', (core) => initiateOauth(core, 't')],
    ['tools.countAgents', (core) => countAgents(core, 't')],
  ])('recognizes an unexpected response of %s', async (id, run) => {
    const error: unknown = await run(coreOf(() => Response.json({ odd: true }))).catch((it) => it)
    expect(error).toMatchObject({ code: 'RESPONSE_INVALID' })
    expect(isErrorOf(error, id)).toBe(true)
  })

  it.each<[OperationId, (core: Core) => Promise<unknown>]>([
    ['storage.listConfigurations', (core) => listConfigurations(core)],
    ['storage.getFile', (core) => getDownloadUrl(core, { fileId: 'f' })],
    ['data.listSchemas', (core) => list(listSchemas(core))],
    ['iam.getMe', (core) => getMe(core)],
  ])('recognizes a failure of %s with status 200', async (id, run) => {
    for (const body of [
      { isSuccess: false, message: 'no such project', data: null },
      { IsSuccess: false, Errors: { Message: 'no such project' } },
      { data: null, errors: [{ message: 'no such project' }] },
      { error: 'no such project' },
    ]) {
      const error: unknown = await run(coreOf(() => Response.json(body))).catch((it) => it)
      expect(error).toMatchObject({ code: 'OPERATION_FAILED', status: 200, body })
      expect((error as Error).message).toContain('no such project')
      expect(isErrorOf(error, id)).toBe(true)
    }
  })

  it('returns false for other errors', () => {
    const other = new RequestError('Cannot upload', { code: 'UPLOAD_FAILED' })
    for (const error of [undefined, null, 'no', new Error('no'), { details: {} }, other]) {
      expect(isErrorOf(error, 'auth.activate')).toBe(false)
    }
  })

  it('narrows the type of the body', async () => {
    const refuse = () => Response.json({ error: 'session_expired' }, { status: 403 })
    const transport = fetchTransport(refuse)
    const core = createCore({ baseUrl: 'http://service.test', projectKey: 'P1', transport })
    const error: unknown = await getSession(core).catch((cause: unknown) => cause)
    if (!isErrorOf(error, 'auth.getSession')) throw error
    expect(error).toMatchObject({ status: 403, body: { error: 'session_expired' } })
  })
})
