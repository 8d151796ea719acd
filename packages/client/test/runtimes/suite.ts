import type { CheckResult } from './checks.ts'
import { runChecks } from './checks.ts'
import { contentChecks } from './content.ts'
import { failureChecks } from './failures.ts'
import { fileChecks } from './files.ts'
import { userChecks } from './users.ts'
import { signInChecks } from './sign-in.ts'
import { type Means, type Settings, worldOf } from './world.ts'

export interface SuiteResult {
  readonly checks: readonly CheckResult[]
  /** Operations that succeeded. */
  readonly answered: readonly string[]
}

/**
 * Runs every operation of the interface and the guarantees of the client.
 * Runtime-independent: it uses no API of a particular runtime.
 */
export async function runSuite(settings: Settings, means: Means): Promise<SuiteResult> {
  const world = worldOf(settings, means)
  const groups = [signInChecks, userChecks, contentChecks, fileChecks, failureChecks]
  const checks = await runChecks(groups.flatMap((group) => group(world)))
  return { checks, answered: [...world.answered].sort() }
}
