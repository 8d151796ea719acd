import { bindClient, createCore } from '@servicekit/client'
import { type Check, fails, has } from './checks.ts'
import type { World } from './world.ts'

export function failureChecks(world: World): readonly Check[] {
  const { ask, attempts, options, projectKey } = world
  const modules = '/localization/v4/Module/Gets'
  const client = (more: Parameters<World['options']>[0] = {}) =>
    bindClient(createCore(options({ retry: { baseDelayMs: 1 }, ...more })))
  const counted = async (call: () => Promise<unknown>): Promise<[unknown, number]> => {
    const before = attempts.length
    const outcome = await call().then(
      () => 'done',
      (error: { code?: string }) => error.code,
    )
    return [outcome, attempts.length - before]
  }
  return [
    ...[408, 425, 429, 500, 502, 503, 504].map((status): Check => [
      `a read is sent again after ${status}`,
      async () => {
        await ask('add-fault', { path: modules, status, retryAfter: 0, times: 1 })
        const [outcome, count] = await counted(() => client().localization.listModules())
        has(outcome, 'done')
        // Chromium repeats a 408 itself.
        has(count === 2 || (status === 408 && count === 1), true)
      },
    ]),
    [
      'a read that is a POST is sent again',
      async () => {
        const how = options({ retry: { baseDelayMs: 1 } })
        const { storage } = bindClient(await world.means.machine(how, world))
        // The token is there before attempts are counted.
        await storage.listConfigurations()
        await ask('add-fault', { path: '/data/v4/Files/GetFilesInfo', status: 503, times: 1 })
        has(await counted(() => storage.listFiles().page()), ['done', 2])
      },
    ],
    [
      'a read survives a connection that breaks before and after it was answered',
      async () => {
        for (const drop of ['before', 'after']) {
          await ask('add-fault', { path: modules, drop, times: 1 })
          // A browser may have repeated it itself.
          has((await counted(() => client().localization.listModules()))[0], 'done')
        }
      },
    ],
    [
      'an answer that makes no sense is none',
      async () => {
        await ask('add-fault', { path: modules, truncateAfter: 5, times: 1 })
        has(await counted(() => client({ retry: { attempts: 1 } }).localization.listModules()), [
          'RESPONSE_INVALID',
          1,
        ])
      },
    ],
    [
      'what makes something new is not sent again',
      async () => {
        const { agentId } = await ask<{ agentId: string }>('agent-id')
        await ask('add-fault', { path: '/kb/qa', status: 503, times: 1 })
        const pair = { agentId, question: 'Once?', answer: 'Once.' }
        has(await counted(() => client().knowledge.add(pair)), ['REQUEST_REFUSED', 1])
      },
    ],
    [
      'the request timed out ends a call, and so does an abort',
      async () => {
        await ask('add-fault', { path: modules, delayMs: 2000, times: 2 })
        const hasty = client({ timeoutMs: 100, retry: { attempts: 1 } })
        has(await counted(() => hasty.localization.listModules()), ['REQUEST_TIMED_OUT', 1])
        const controller = new AbortController()
        const call = client().localization.listModules({ signal: controller.signal })
        controller.abort(new Error('enough'))
        await fails(call, { code: 'REQUEST_ABORTED' })
        await ask('remove-faults')
      },
    ],
    [
      'an answer that is too large is refused',
      async () => {
        const small = client({ maxBytes: 20 })
        await fails(small.localization.listModules(), { code: 'RESPONSE_TOO_LARGE' })
      },
    ],
    [
      'nobody listening is a failure that says so',
      async () => {
        const { address } = await ask<{ address: string }>('free-address')
        const lost = client({ baseUrl: address, retry: { attempts: 2, baseDelayMs: 1 } })
        await fails(lost.localization.listModules(), { code: 'REQUEST_FAILED' })
      },
    ],
    [
      'an unknown project is refused, and its error tells the operation',
      async () => {
        const other = client({ projectKey: 'nobody', headers: { authorization: 'Bearer canary' } })
        const error: unknown = await other.localization.listModules().catch((cause) => cause)
        has(error, { code: 'REQUEST_REFUSED', details: { operation: 'localization.listModules' } })
        has(JSON.stringify(error).includes('canary'), false)
        has(projectKey === 'nobody', false)
      },
    ],
  ]
}
