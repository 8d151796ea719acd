import type { Route } from '@servicekit/contract/routes'
import { createCore } from '../../src/core.ts'
import type { ClientOptions } from '../../src/options.ts'
import type { ClientOutcome, Scenario, Send } from './scenario.ts'
import { scenarios } from './table.ts'

/** Input of a run: the server, and the name of the build. */
export interface RunSettings {
  readonly origin: string
  readonly build: string
  /** URL at which no server listens. */
  readonly closedUrl: string
}

/** Runs all scenarios in this build. Uses no API of a particular runtime. */
export async function runScenarios({
  origin,
  build,
  closedUrl,
}: RunSettings): Promise<ClientOutcome[]> {
  const outcomes: ClientOutcome[] = []
  const rest = scenarios.entries()
  const work = async (): Promise<void> => {
    for (const [index, scenario] of rest) {
      outcomes[index] = await runScenario(scenario, `${origin}/${build}/${index}`, closedUrl)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return outcomes
}

const routes = {
  read: { id: 'test.read', method: 'GET', path: '/read', effect: 'read' },
  create: { id: 'test.create', method: 'POST', path: '/create', effect: 'create' },
  item: { id: 'test.item', method: 'GET', path: '/items/{itemId}', effect: 'read' },
} as const satisfies Record<string, Route>

async function runScenario(
  { baseUrl: pattern = '{base}', ...scenario }: Scenario,
  base: string,
  closedUrl: string,
): Promise<ClientOutcome> {
  const pauses: number[] = []
  let nowMs = Date.parse('2026-01-05T12:00:00Z')
  const options = {
    baseUrl: pattern.replace('{base}', base).replace('{closed}', closedUrl),
    projectKey: 'P1',
    retry: { attempts: 3, baseDelayMs: 2 },
    requestIds: false,
    runtime: {
      now: () => nowMs,
      random: () => 1,
      sleep: async (ms: number) => {
        pauses.push(ms)
        nowMs += ms
      },
    },
    ...scenario.options,
  } as ClientOptions
  // A result of one build must not depend on its address.
  const neutral = <T>(value: T): T =>
    value === undefined
      ? value
      : (JSON.parse(
          JSON.stringify(value).replaceAll(base, '<base>').replaceAll(closedUrl, '<closed>'),
        ) as T)
  const outcome = {
    value: undefined,
    status: undefined,
    body: undefined,
    retryAfterMs: undefined,
    message: undefined,
    details: undefined,
    shown: [],
  }
  try {
    const core = createCore(options)
    const send: Send = async ({ effect = 'read', path, ...input } = {}) => {
      const route = path ? routes.item : effect === 'create' ? routes.create : routes.read
      const response = await core.send(route, { intent: 'try', ...input, ...(path && { path }) })
      return response.json()
    }
    const value = await (scenario.call ? scenario.call(core, send) : send())
    return { ...outcome, result: 'value', value: neutral(value), pauses }
  } catch (thrown) {
    const error = thrown as Error & Partial<Record<'code' | 'status' | 'body' | 'details', unknown>>
    const everything = [
      error.message,
      error.stack,
      JSON.stringify(error),
      String(error.cause),
    ].join()
    return {
      result: String(error.code ?? error.name),
      value: undefined,
      status: error.status as number | undefined,
      body: neutral(error.body),
      retryAfterMs: (error as { retryAfterMs?: number }).retryAfterMs,
      pauses,
      // Engines word the errors of their own differently.
      message: error.code ? neutral(error.message.split('\n', 1)[0]) : undefined,
      details: error.code ? neutral(error.details) : undefined,
      shown: (scenario.secrets ?? []).filter((secret) => everything.includes(secret)),
    }
  }
}
