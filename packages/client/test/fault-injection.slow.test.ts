import { operations } from '@servicekit/contract'
import { createPlatform, type Fault, type FaultRule, type Platform } from '@servicekit/platform'
import { type Listening, listen } from '@servicekit/platform/node'
import type { Route } from '@servicekit/contract/routes'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeep } from '@servicekit/testing/is-deep'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Core, createCore, type RequestError } from '../src/index.ts'
import { forwardCookies, tokenSource } from '../src/server.ts'
import { keepCookies } from '../src/testing.ts'
import { logIn } from './log-in.ts'
import type { OperationId } from './operation-cases.ts'
import { type Caller, platformCalls, type PreparedCall } from './platform-calls.ts'
import { identityOf, machine, mailTool, redirectUri } from './sample.ts'
import { fakeRuntime, transports } from './serve.ts'
import { storefront } from './storefront.ts'
import { startSignIn, completeSignIn } from '../src/auth.ts'

/** Faults that the platform injects into the first request; the second one is served. */
const faults: readonly (readonly [name: string, rule: FaultRule])[] = [
  ['a connection that breaks before anything is done', { drop: 'before' }],
  ['a connection that breaks after it was done', { drop: 'after' }],
  ['an answer that makes no sense', { truncateAfter: 3 }],
  ['the request timed out', { delayMs: 4000 }],
  ...(isDeep ? [408, 425, 429, 500, 502, 503, 504] : [408, 503]).map(
    (status) => [String(status), { status }] as const satisfies readonly [string, FaultRule],
  ),
  ['429, Retry-After in seconds', { status: 429, retryAfter: 2 }],
  [
    '429, Retry-After as a date',
    {
      status: 429,
      // Read when the rule is added, by the clock of the server, which sends its date.
      get retryAfter() {
        return new Date(Date.now() + 20_000).toUTCString()
      },
    },
  ],
  ['429, Retry-After as nonsense', { status: 429, retryAfter: 'soon' }],
  ['503, Retry-After in seconds', { status: 503, retryAfter: 2 }],
]

let platform: Platform
let server: Listening
let caller: Caller
/** Cores over a transport with fault injection: for ada and for a machine. */
let coresOver: (options: Partial<Parameters<typeof createCore>[0]>) => { ada: Core; job: Core }

beforeAll(async () => {
  platform = await createPlatform({
    projects: [storefront],
    storage: [{ name: 'Cloud', strategy: 'Local' }],
  })
  server = await listen(platform)
  const { baseUrl } = server
  const [projectKey = ''] = await platform.projectKeys()
  const control: Caller['control'] = async (method, path, body) => {
    const url = `${baseUrl}/_platform/projects/${projectKey}${path}`
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await platform.fetch(new Request(url, init))
    const said = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${said}`)
    return said === '' ? undefined : JSON.parse(said)
  }
  await control('PUT', '/identity', identityOf('ada', 'bob'))
  await control('PUT', '/tools/mail', mailTool)
  const plain = createCore({ baseUrl, projectKey })
  const cookiesIn = (lines: readonly string[]): string =>
    lines.map((line) => line.split(';')[0]).join('; ')
  const signInOf: Caller['signInOf'] = async () => {
    const { core, setCookie } = forwardCookies(plain, undefined)
    const { url } = await startSignIn(core, { clientId: 'web', redirectUri })
    return {
      address: await logIn(keepCookies(platform.fetch), url, 'ada'),
      cookies: cookiesIn(setCookie()),
    }
  }
  const cookiesOf = async (): Promise<string> => {
    const { address, cookies } = await signInOf()
    const { core, setCookie } = forwardCookies(plain, cookies)
    await completeSignIn(core, address)
    return cookiesIn(setCookie())
  }
  const cookies = await cookiesOf()
  const token = await tokenSource(plain, machine).get()
  caller = {
    ada: forwardCookies(plain, cookies).core,
    cookiesOf,
    signInOf,
    control,
  }
  coresOver = (options) => {
    const given = { baseUrl, projectKey, ...options }
    const headers = { authorization: `Bearer ${token}` }
    return {
      ada: forwardCookies(createCore(given), cookies).core,
      job: createCore({ ...given, headers }),
    }
  }
})
afterAll(async () => {
  await server?.close()
  await platform?.close()
})

/**
 * Section 4.2 and the routes for the caller's own account require a user; a machine may
 * call the rest.
 */
const isForPeople = (id: string): boolean => /^iam\.|^auth\.getSession$|^idp\.getAccount$/.test(id)
let calls = 0

/**
 * Calls all operations, each with the fault, and returns their outcomes.
 *
 * @param groupSize number of operations that run at once. An operation with a short timeout would
 *   otherwise wait for all the others, which share its process.
 */
async function meetAll(
  rule: FaultRule,
  options: Parameters<typeof coresOver>[0],
  groupSize: number = operations.length,
) {
  const { ada, job } = coresOver(options)
  const prepared: { route: Route; call: PreparedCall; rule: Fault }[] = []
  for (const { route } of operations) {
    const call = await platformCalls[route.id as OperationId](caller, `call${++calls}`)
    prepared.push({ route, call, rule: { ...rule, id: '' } })
  }
  // Only now, because preparing one operation calls others.
  for (const one of prepared) {
    const { method, path } = one.route
    const pattern = path.replaceAll(/\{\w+\}/g, '*')
    one.rule = platform.faults.add({ ...rule, method, path: pattern, times: 1 })
  }
  const outcomes: (string | undefined)[] = []
  for (let start = 0; start < prepared.length; start += groupSize) {
    const group = prepared.slice(start, start + groupSize).map(({ route, call }) =>
      call.call(isForPeople(route.id) ? ada : job).then(
        () => 'done',
        (error: RequestError) => error.code ?? String(error),
      ),
    )
    outcomes.push(...(await Promise.all(group)))
  }
  const waiting = new Set(platform.faults.list().map(({ id }) => id))
  platform.faults.remove()
  // Delayed requests are executed after the client has stopped waiting.
  if (rule.delayMs !== undefined) await sleep(rule.delayMs)
  return Promise.all(
    prepared.map(async ({ route, call, rule }, index) => ({
      id: route.id,
      effect: route.effect,
      outcome: outcomes[index],
      isInjected: !waiting.has(rule.id),
      effects: await call.effects?.(),
    })),
  )
}

describe.each(isDeep ? transports : transports.slice(0, 1))('over %s', (_, transport) => {
  // All operations share one clock, which the pauses of each of them advance.
  const totalTimeoutMs = 3_600_000
  const options = () => ({
    transport,
    timeoutMs: 20_000,
    totalTimeoutMs,
    runtime: fakeRuntime().runtime,
  })

  it.each(faults)(
    'after %s nothing is done twice, and reads recover',
    async (_, rule) => {
      const timeoutMs = rule.delayMs === undefined ? 20_000 : rule.delayMs / 2
      // An invalid response is not retried: it would be invalid again.
      const isAnswer = rule.truncateAfter !== undefined
      const groupSize = rule.delayMs === undefined ? undefined : 5
      for (const met of await meetAll(rule, { ...options(), timeoutMs }, groupSize)) {
        const { effect, outcome, effects } = met
        // A rate-limited request was not executed, and is now.
        const recovers =
          !isAnswer && (effect === 'read' || (effects !== undefined && rule.status === 429))
        const most = effects === undefined || effects <= 1
        // The response was lost, but the operation was executed, as the platform's data
        // shows. A signed URL alone is not yet a file.
        const isUnheard = rule.drop === 'after' || rule.delayMs !== undefined
        const isDone = outcome === 'done' || (isUnheard && met.id !== 'storage.presignUpload')
        const least = effects === undefined || !isDone || effects === 1
        // `isInjected`: the fault was injected and not left unused.
        expect({ ...met, most, least }).toMatchObject({ isInjected: true, most: true, least: true })
        expect([met, outcome === 'done' || !recovers]).toEqual([met, true])
      }
    },
    120_000,
  )

  it('an abort ends every operation, and nothing happens twice', async () => {
    const counts: (() => Promise<number>)[] = []
    for (const { route } of operations) {
      const prepared = await platformCalls[route.id as OperationId](caller, `call${++calls}`)
      const controller = new AbortController()
      const cores = coresOver({
        ...options(),
        hooks: {
          before: ({ operation }) => {
            if (operation === route.id) setTimeout(() => controller.abort(new Error('enough')), 20)
          },
        },
      })
      const core = isForPeople(route.id) ? cores.ada : cores.job
      const { signal } = controller
      const path = route.path.replaceAll(/\{\w+\}/g, '*')
      platform.faults.add({ path, method: route.method, delayMs: 3000, times: 1 })
      const outcome = await prepared
        .call({ ...core, send: (one, input) => core.send(one, { ...input, signal }) })
        .then(
          () => 'done',
          (error: RequestError) => error.code,
        )
      platform.faults.remove()
      expect([route.id, outcome]).toEqual([route.id, 'REQUEST_ABORTED'])
      if (prepared.effects) counts.push(prepared.effects)
    }
    // Wait until the platform has executed the abandoned requests.
    await sleep(3000)
    const effects = await Promise.all(counts.map((count) => count()))
    expect(effects.filter((count) => count > 1)).toEqual([])
  }, 120_000)
})
