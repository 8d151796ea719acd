import { openApiDocument } from '@servicekit/contract'
import { isDeep } from '@servicekit/testing/is-deep'
import { expect, it, onTestFinished } from 'vitest'
import { interfaceOperations } from '../src/app/app.ts'
import { responseChecker } from './random/responses.ts'
import {
  type DescribedOperation,
  type GeneratedRequest,
  generateRequest,
  type Json,
  operationsOf,
} from './random/generate-request.ts'
import { randomOf } from '@servicekit/testing/random'
import { openShop, type Sender, type Shop } from './random/shop.ts'

const total = isDeep ? 100_000 : 2000
const seed = Number(process.env['SERVICEKIT_SEED'] ?? (isDeep ? Date.now() % 1_000_000 : 1))
/** Number of requests before a new platform is opened, so that its data stays small. */
const perPlatform = 5000

const document = JSON.parse(JSON.stringify(openApiDocument())) as Json
const operations = operationsOf(document)
/** Operations, with those that applications call most repeated. */
const weighted = operations.flatMap((operation) =>
  Array.from(
    { length: { 'data.execute': 8, 'auth.logout': 1 }[operation.id] ?? 3 },
    () => operation,
  ),
)
const checkResponse = responseChecker(document)
const senders: readonly Sender[] = [
  ...Array.from({ length: 6 }, () => 'administrator' as const),
  'user',
  'user',
  'machine',
  'anonymous',
]

/** Statuses of responses that are sent before the handler does its work. */
const refusals = new Set([400, 401, 403, 413, 415, 422, 429])
const isRefused = (status: number, text: string): boolean =>
  refusals.has(status) ||
  (status === 200 && /"code":"(?:AUTH_NOT_A|VALIDATION_ERROR|GRAPHQL_)/.test(text)) ||
  (status === 200 && /"(?:isSuccess|success)":false/.test(text))

/** Counts calls of handlers, using the functions that the platform itself calls. */
function countHandled(): () => number {
  let count = 0
  for (const entry of interfaceOperations) {
    const { handle } = entry
    Object.assign(entry, {
      handle: (call: Parameters<typeof handle>[0]) => {
        count++
        return handle(call)
      },
    })
    onTestFinished(() => void Object.assign(entry, { handle }))
  }
  return () => count
}

interface Sent {
  readonly operation: DescribedOperation
  readonly sender: Sender
  readonly request: GeneratedRequest
}

const shown = ({ operation, sender, request }: Sent, at: number): string =>
  `seed ${seed}, request ${at}, ${operation.id} as ${sender}: ${JSON.stringify(request)}`

it(
  `responds to ${total} generated requests as its OpenAPI document describes`,
  { timeout: 120_000 + total * 60 },
  async () => {
    console.log(`seed ${seed}: SERVICEKIT_SEED=${seed} sends the same requests again`)
    const handledCount = countHandled()
    const random = randomOf(seed)
    const odd: string[] = []
    const perOperation = new Map<string, { sent: number; handled: number }>()
    let shop: Shop | undefined
    let handled = 0
    onTestFinished(() => shop?.platform.close())
    for (let at = 0; at < total; at++) {
      if (at % perPlatform === 0) {
        await shop?.platform.close()
        shop = await openShop(seed)
      }
      const { send, known, learn } = shop!
      const operation = random.pick(weighted)
      const sender = senders[at % senders.length]!
      const sent = {
        operation,
        sender,
        request: generateRequest(operation, document, known, random),
      }
      const before = handledCount()
      const response = await send(sender, operation.id, sent.request)
      const text = await response.text()
      const oddity = checkResponse(operation, response, text)
      if (oddity) odd.push(`${oddity}\n  ${shown(sent, at)}`.slice(0, 3000))
      const isHandled = handledCount() > before && !isRefused(response.status, text)
      if (isHandled) handled++
      const counts = perOperation.get(operation.id) ?? { sent: 0, handled: 0 }
      perOperation.set(operation.id, counts)
      counts.sent++
      if (isHandled) {
        counts.handled++
        learn(operation.id, text)
      }
      if (odd.length >= 20) break
    }
    expect(odd.join('\n\n')).toBe('')
    expect(handled / total).toBeGreaterThanOrEqual(0.5)
    // Every operation must do its work at least once, except the one that takes a code of
    // the login page.
    const never = [...perOperation].filter(([, { handled }]) => handled === 0).map(([id]) => id)
    expect(never.filter((id) => id !== 'auth.callback')).toEqual([])
  },
)
