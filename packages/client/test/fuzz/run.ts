import fc from 'fast-check'
import { inspect } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import type { BlobTransport } from '../../src/blobs.ts'
import type * as kit from './entry.ts'
import { hangs, hostileServer, type Plan, plans } from './hostile.ts'

export type Kit = typeof kit
/** Build of the client with its transport. */
export interface Variant {
  readonly name: string
  readonly kit: Kit
  readonly options: object
  readonly blobs: BlobTransport
  /**
   * Lean builds redact what the page sent: not what the service generated, and not the beginning
   * of a secret in a truncated body.
   */
  readonly isLean?: boolean
}

/** Far beyond the timeouts of a call: a busy machine must not fail the test. */
const patienceMs = 20_000

/** Runs calls against hostile responses; expects typed errors or correct values, and no secrets. */
export async function fuzz(
  variants: readonly Variant[],
  count: number,
  codes: readonly string[],
  usesFetch = false,
) {
  const uncaught: unknown[] = []
  const note = (error: unknown): void => void uncaught.push(error)
  // The listeners of vitest would end the run for a defect of the runtime as well.
  const [thrown, rejected] = [
    process.listeners('uncaughtException'),
    process.listeners('unhandledRejection'),
  ]
  process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection')
  process.on('uncaughtException', note).on('unhandledRejection', note)
  const server = await hostileServer()
  onTestFinished(async () => {
    await server.close()
    // The clients notice it a little later.
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
    process.off('uncaughtException', note).off('unhandledRejection', note)
    for (const one of thrown) process.on('uncaughtException', one)
    for (const one of rejected) process.on('unhandledRejection', one)
  })
  const { calls, transfers } = variants[0]!.kit
  const names = [calls, transfers, transfers].flatMap((some) => Object.keys(some))
  const cases = fc.sample(
    fc.tuple(fc.constantFrom(...variants), fc.constantFrom(...names), plans),
    count,
  )
  const problems: string[] = []
  const outcomes: Record<string, number> = {}
  const rest = cases.values()
  const work = async (): Promise<void> => {
    for (const [variant, name, plan] of rest) {
      const tell = (what: string): void =>
        void problems.push(
          `${variant.name} ${name} ${JSON.stringify(plan)}: ${what}`.slice(0, 2000),
        )
      const outcome = await outcomeOf(variant, server, name, plan, tell)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  // Wait for errors that a call leaves behind.
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  expect(problems.slice(0, 20)).toEqual([])
  expect(usesFetch ? uncaught.filter((error) => !isDefectOfFetch(error)) : uncaught).toEqual([])
  expect(server.leaks()).toBe(0)
  // Both extremes are reached: successful calls and most kinds of failures. On a slow machine the
  // few calls that are refused for long time out instead.
  expect(outcomes['value']).toBeGreaterThan(count / 12)
  const reached = codes.filter((code) => outcomes[code] !== undefined)
  expect(reached.length, reached.join()).toBeGreaterThan(codes.length / 2)
}

/**
 * The fetch of Node 20 itself throws where nobody can catch it, when a connection closes or
 * ends in nonsense while a body is read, or a signal aborts then (15 in 10,000 of these
 * responses). Such errors have no frame of ours. Our transports for Node are not concerned.
 */
const isDefectOfFetch = (error: unknown): boolean =>
  !/servicekit|packages[\\/]client/.test(String((error as Error).stack))

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)
/** These return undefined if nobody is signed in or the user does not exist. */
const mayBeMissing = /^(?:auth\.getSession|idp\.getUser)$/

const everywhere = (error: unknown): string =>
  [
    String(error),
    (error as Error).stack,
    inspect(error, { depth: 12, showHidden: true }),
    inspect((error as Error).cause, { depth: 12, showHidden: true }),
    shallowJson(error),
  ].join('\n')

/** Returns JSON, or an empty string for data nested too deeply. */
function shallowJson(error: unknown): string {
  try {
    return JSON.stringify(error)
  } catch (cause) {
    return cause instanceof RangeError ? '' : String(cause)
  }
}

/** Returns the error code, or `value`. */
async function outcomeOf(
  { kit, options, blobs, isLean }: Variant,
  server: Awaited<ReturnType<typeof hostileServer>>,
  name: string,
  plan: Plan,
  tell: (what: string) => void,
): Promise<string> {
  const { answer, result } = kit.calls[name]!
  const { url, end } = server.serve(plan, answer)
  const [timeoutMs, totalTimeoutMs] = hangs(plan) ? [100, 250] : [3000, 6000]
  const core = kit.createCore({
    baseUrl: url,
    projectKey: 'P1',
    headers: {
      authorization: 'Bearer canary-bearer+/==',
      // Browsers send cookies by themselves.
      ...(!isLean && { cookie: 'a=canary-cookie-a; b=canary-b' }),
    },
    timeoutMs,
    totalTimeoutMs,
    maxBytes: 200_000,
    retry: { attempts: 2, baseDelayMs: 1 },
    ...options,
  })
  const ending = new AbortController()
  const timers = [setTimeout(() => ending.abort(), totalTimeoutMs)]
  const late = new Promise<string>((resolve) => {
    timers.push(setTimeout(() => resolve('late'), patienceMs))
  })
  const work = kit.calls[name]!.call(core, ending.signal, blobs, timeoutMs).then(
    (value) => {
      const isRight = kindOf(value) === kindOf(result) || result === undefined
      if (!isRight && !(value === undefined && mayBeMissing.test(name)))
        tell(`resolved with ${inspect(value)}`)
      return 'value'
    },
    (error: unknown) => {
      if (!(error instanceof kit.ServicekitError)) tell(`rejected with ${inspect(error)}`)
      // The fetch of browsers, unlike that of Node, has no cause that quotes a response.
      if (isLean) Object.assign(error as object, { cause: undefined })
      const shown = everywhere(error)
      const secret = isLean ? /canary-(?:bearer|secret|password|hook|token|key)/ : /canary/
      const at = shown.search(secret)
      if (at >= 0) tell(`shows a secret: ${shown.slice(Math.max(0, at - 200), at + 100)}`)
      return (error as { code?: string }).code ?? 'no code'
    },
  )
  const outcome = await Promise.race([work, late])
  timers.forEach(clearTimeout)
  if (outcome === 'late') tell('did not end')
  end()
  return outcome
}
