/** What a check of the suite came to. */
export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  /** Why it failed. */
  readonly error?: string
}

/** A check: throws where something is not as it should be. */
export type Check = readonly [name: string, run: () => Promise<void>]

/** Runs checks one after the other; a failed one does not keep the others from running. */
export async function runChecks(checks: readonly Check[]): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const [name, run] of checks) {
    try {
      await run()
      results.push({ name, ok: true })
    } catch (error) {
      results.push({ name, ok: false, error: explained(error) })
    }
  }
  return results
}

const explained = (error: unknown): string =>
  error instanceof Error ? `${error.message}\n${error.stack}` : String(error)

/** Whether everything that is expected is there, as it is expected; objects may hold more. */
export function has(actual: unknown, expected: unknown, where = 'value'): void {
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) fail(where, actual, expected)
    if (Array.isArray(expected) && (actual as unknown[]).length !== expected.length) {
      fail(`${where}.length`, (actual as unknown[]).length, expected.length)
    }
    for (const [name, value] of Object.entries(expected)) {
      has((actual as Record<string, unknown>)[name], value, `${where}.${name}`)
    }
  } else if (!Object.is(actual, expected)) fail(where, actual, expected)
}

/** That a call fails, and how. */
export async function fails(call: Promise<unknown>, expected: object): Promise<void> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if (!('error' in outcome)) fail('a call that should fail', outcome.value, expected)
  has(outcome.error, expected, 'error')
}

function fail(where: string, actual: unknown, expected: unknown): never {
  throw new Error(`${where} is ${shown(actual)} and should be ${shown(expected)}`)
}

const shown = (value: unknown): string =>
  value instanceof Error ? String(value) : (JSON.stringify(value) ?? String(value))

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
