import { iam, tools } from '@servicekit/contract'
import { translations } from '@servicekit/contract/control'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { PlatformError } from '../errors.ts'
import { resolveOptions } from '../resolve-options.ts'
import type { AppEnv } from './app-env.ts'
import { type Implemented, type Input, mountOperations } from './pipeline.ts'
import { Forbidden, RejectedRequest } from './rejected-request.ts'

const unstorable = Object.assign(new Error('numeric field overflow'), { code: '22003' })

/** Returns the response to a request whose handler throws. */
async function responseTo(operation: Implemented<Input>['operation'], error: Error) {
  const app = new Hono<AppEnv>()
  app.use((c, next) => {
    c.set('requestId', 'r')
    return next()
  })
  app.onError((thrown, c) => c.text(thrown.message, 500))
  const entry = { operation, schemas: {}, options: {}, handle: () => Promise.reject(error) }
  mountOperations<Input, Implemented<Input>>(app, [entry], {
    options: resolveOptions({}),
    pathOf: () => '/',
    admit: async (_, __, query) => ({ call: {}, query }),
    finish: (_, __, ___, response) => response,
  })
  const { method, body } = operation.route
  const response = await app.request('/', { method, ...(body && { body: '{}' }) })
  const text = await response.text()
  return [response.status, text.startsWith('{') ? (JSON.parse(text) as unknown) : text]
}

const overflow = 'The database cannot store a value: numeric field overflow.'

const problem = (status: number, title: string) => [
  status,
  { type: 'about:blank', title, status, traceId: 'r' },
]

it.each([
  ['interface', iam.listUsers, [400, { Errors: { Message: overflow }, IsSuccess: false }]],
  [
    'interface with errors of its own',
    tools.saveTutorial,
    [422, { detail: [{ loc: ['request'], msg: overflow, type: 'value_error' }] }],
  ],
  ['administration', translations.publish, problem(400, overflow)],
])(
  'rejects values that the database cannot store in the format of the operation: %s',
  async (_, operation, expected) => {
    expect(await responseTo(operation, unstorable)).toEqual(expected)
    const wrapped = new Error('Failed query', { cause: unstorable })
    expect(await responseTo(operation, wrapped)).toEqual(expected)
  },
)

it('rejects a control operation whose errors have a 422 of their own with a 400 if it is invalid', async () => {
  expect(Object.keys(translations.publish.responses)).toContain('422')
  const invalid = new RejectedRequest({ reason: 'invalid', errors: { name: ['name: too long'] } })
  expect(await responseTo(translations.publish, invalid)).toEqual(problem(400, 'name: too long'))
  const project = new PlatformError('PROJECT_INVALID', 'No module m.')
  expect(await responseTo(translations.publish, project)).toEqual(problem(400, 'No module m.'))
  expect(await responseTo(translations.publish, new Forbidden('No role.'))).toEqual(
    problem(403, 'No role.'),
  )
})

it('leaves other errors to the application', async () => {
  expect(await responseTo(iam.listUsers, new Error('defect'))).toEqual([500, 'defect'])
})
