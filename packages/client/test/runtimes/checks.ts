/** Result of one check. */
export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  /** Reason for the failure. */
  readonly error?: string
}

/** Named check that throws on failure. */
export type Check = readonly [name: string, run: () => Promise<void>]

/** Runs checks in sequence; a failed check does not stop the others. */
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

/** Asserts that the value contains everything expected; objects may have more members. */
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

/** Asserts that a call fails with the expected error. */
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
