import { operations } from '@servicekit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allCases } from './operations/all-cases.ts'
import { documentedAnswers } from './operations/documented.ts'
import { failures } from './operations/failures.ts'
import { handlerOf } from './operations/handlers.ts'
import type { OperationCase } from './operations/operation-case.ts'
import { casesFor, operationTable } from './operations/table.ts'
import { openWorld, type World } from './operations/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.platform.close())

/** Returns whether a case with status 200 is a failure, which its body reports. */
const fails = ({ body = {} }: OperationCase): boolean =>
  'errors' in body || ('success' in body && body.success === false)

/** Returns the id of the operation that handled the request, from the platform's log. */
async function answeredBy(response: Response): Promise<string | undefined> {
  const log = await world.platform.fetch(
    new Request('http://platform.local/_platform/requests?limit=5'),
  )
  const requests = (await log.json()) as { requestId: string; operation: string }[]
  const id = response.headers.get('x-request-id')
  return requests.find(({ requestId }) => requestId === id)?.operation
}

describe('the operations of the contract', () => {
  it('are the only ones that have cases', () => {
    expect(Object.keys(allCases).sort()).toEqual(operations.map(({ route }) => route.id).sort())
  })

  it.each(operations.map((operation) => [operation.route.id, operation] as const))(
    '%s has one handler, and every documented response is tested',
    (id, operation) => {
      expect(handlerOf(id)).toMatch(/^src\/.+\.ts$/)
      const missing = documentedAnswers(operation).filter(
        (answer) => casesFor(id, answer).length === 0,
      )
      expect(missing).toEqual([])
      const names = allCases[id]!.map(({ when, status }) => `${status} ${when}`)
      expect(new Set(names).size).toBe(names.length)
    },
  )

  it.each(failures.map((failure) => [failure.situation, failure.answers] as const))(
    'have cases for the errors of section 7: %s',
    (_situation, answers) => {
      const missing = answers.filter(
        ([id, status]) =>
          !allCases[id]?.some((one) => one.status === status && (status !== 200 || fails(one))),
      )
      expect(missing).toEqual([])
    },
  )

  it('are listed in OPERATIONS.md', async () => {
    await expect(operationTable()).toMatchFileSnapshot('../OPERATIONS.md')
  })
})

describe.each(operations.map((operation) => [operation.route.id, operation] as const))(
  '%s',
  (id, { responses }) => {
    it.each((allCases[id] ?? []).map((one) => [one.status, one.when, one] as const))(
      'responds with %d %s',
      async (status, _when, one) => {
        const { code, body: members, isAstray } = one
        const response = await one.send(world)
        const text = await response.text()
        expect(response.status, text).toBe(status)
        expect(await answeredBy(response)).toBe(isAstray ? 'other' : id)
        const isJson = response.headers.get('content-type')?.includes('json')
        const body: unknown = isJson ? JSON.parse(text) : text
        const schema = responses[status]?.schema
        expect(responses, 'the status is documented').toHaveProperty(String(status))
        expect(schema?.safeParse(body).error?.issues ?? []).toEqual([])
        // Section 7: an object that is empty on success.
        const isIdentity = /^(?:auth|iam|idp)\./.test(id)
        const errors = isIdentity && isJson ? (body as { errors?: object }).errors : undefined
        const isFailure = status >= 400 || fails(one)
        expect(errors === undefined || Object.keys(errors).length > 0 === isFailure).toBe(true)
        const wanted = { ...(code === undefined ? {} : { error: code }), ...members }
        const hasBody = code !== undefined || members !== undefined
        expect({ body }).toMatchObject(hasBody ? { body: wanted } : {})
      },
    )
  },
)
