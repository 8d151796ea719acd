import { type Operation, operations } from '@servicekit/contract'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCore, type RequestError } from '../src/index.ts'
import { type ContractServer, contractServer, type Fault } from './contract-server.ts'
import { operationCases } from './operation-cases.ts'
import { fakeRuntime, transports } from './serve.ts'

let server: ContractServer
beforeAll(async () => {
  server = await contractServer()
})
afterAll(() => server?.close())

const isReset = (response: ServerResponse): boolean => {
  response.socket?.resetAndDestroy()
  return true
}
/** Responds to the first attempt with a status, without executing the operation. */
const status =
  (code: number, retryAfter?: () => string): Fault =>
  (attempt, response, stage) => {
    if (attempt > 1 || stage === 'head') return
    response.writeHead(code, retryAfter === undefined ? {} : { 'retry-after': retryAfter() })
    response.end('{}')
    return true
  }

/** Faults of a first attempt. The second one is served normally. */
const faults: readonly (readonly [name: string, fault: Fault, mayCreateAgain?: boolean])[] = [
  [
    'a reset before the request is read',
    (attempt, response, stage) => attempt === 1 && stage === 'head' && isReset(response),
  ],
  ['a reset after it was read', (attempt, response) => attempt === 1 && isReset(response)],
  [
    'a reset within the answer',
    (attempt, response, stage) => {
      if (attempt > 1 || stage === 'head') return
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"data":', () => setTimeout(() => isReset(response), 5))
      return true
    },
  ],
  ['408', status(408)],
  ['425', status(425)],
  ['500', status(500)],
  ['502', status(502)],
  ['503', status(503)],
  ['504', status(504)],
  // A rate-limited request was not executed, so a create may be sent again.
  ['429', status(429), true],
  ['429, Retry-After in seconds', status(429, () => '2'), true],
  [
    '429, Retry-After as a date',
    status(429, () => new Date(Date.now() + 20_000).toUTCString()),
    true,
  ],
  ['429, Retry-After as nonsense', status(429, () => 'soon'), true],
  ['503, Retry-After in seconds', status(503, () => '2')],
]

/** Returns true if the client may retry the operation: it is not a create. */
const isRepeatable = ({ route }: Operation): boolean => route.effect !== 'create'

describe.each(transports)('over %s', (_, transport) => {
  const coreFor = (timeoutMs = 20_000) =>
    createCore({
      baseUrl: server.url,
      projectKey: 'P1',
      transport,
      timeoutMs,
      runtime: fakeRuntime().runtime,
    })

  describe.each(faults.map(([name, ...rest]) => [name, rest] as const))('after %s', (_, rest) => {
    const [fault, mayCreateAgain] = rest
    it('every read and replacement recovers, and nothing is created twice', async () => {
      for (const operation of operations) {
        const { id } = operation.route
        const one = operationCases[id as keyof typeof operationCases]
        server.use(operation, one.answer, fault)
        const outcome = await one.call(coreFor()).then(
          () => 'done',
          (error: RequestError) => error.code,
        )
        const recovers = isRepeatable(operation) || mayCreateAgain
        expect([id, outcome.split('_')[0]]).toEqual([id, recovers ? 'done' : 'REQUEST'])
        expect([id, server.attempts()]).toEqual([id, recovers ? 2 : 1])
      }
    })
  })

  it('every read and replacement recovers from the request timed out', async () => {
    for (const operation of operations) {
      const { id } = operation.route
      const one = operationCases[id as keyof typeof operationCases]
      server.use(operation, one.answer, (attempt, _, stage) => attempt === 1 && stage === 'whole')
      // A create is sent once, and must have arrived by then, also on a busy machine.
      const outcome = await one.call(coreFor(isRepeatable(operation) ? 100 : 250)).then(
        () => 'done',
        (error: RequestError) => error.code,
      )
      // On a busy machine the second attempt may time out too.
      const attempts = Math.min(2, server.attempts())
      const expected = isRepeatable(operation) ? ['done', 2] : ['REQUEST_TIMED_OUT', 1]
      expect([id, outcome, attempts]).toEqual([id, ...expected])
    }
  })

  it('every operation ends with an abort and is not retried', async () => {
    for (const operation of operations) {
      const { id } = operation.route
      const one = operationCases[id as keyof typeof operationCases]
      const controller = new AbortController()
      server.use(operation, one.answer, (_, __, stage) => {
        if (stage === 'whole') controller.abort(new Error('enough'))
        return stage === 'whole'
      })
      const core = coreFor()
      const { signal } = controller
      const outcome = await one
        .call({ ...core, send: (route, input) => core.send(route, { ...input, signal }) })
        .then(
          () => 'done',
          (error: RequestError) => error.code,
        )
      expect([id, outcome, server.attempts()]).toEqual([id, 'REQUEST_ABORTED', 1])
    }
  })
})
