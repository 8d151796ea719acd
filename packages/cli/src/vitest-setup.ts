/**
 * Global setup of Vitest for `servicekit/vitest`: starts one platform, in memory, for all
 * workers. Requires `@servicekit/platform`.
 *
 * ```ts
 * export default defineConfig({ test: { globalSetup: 'servicekit/vitest-setup' } })
 * ```
 */
import { startPlatform } from '@servicekit/platform/node'
import type { TestProject } from 'vitest/node'

/** URL of the platform that all workers use. */
export type ProvidedUrl = string

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the platform that `servicekit/vitest-setup` started. */
    servicekitUrl: ProvidedUrl
  }
}

/** Starts the platform, and returns the function that stops it. Vitest calls both. */
export async function setup({
  provide,
}: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const platform = await startPlatform({ port: 0 })
  provide('servicekitUrl', platform.baseUrl)
  return platform.close
}
