import { readFileSync } from 'node:fs'

/**
 * Source of the runtime, with `__UILM_…__` placeholders for the project configuration.
 * This file must stay one level below the package, in src and in dist.
 */
export const runtimeTemplate: string = readFileSync(
  new URL('../runtime/runtime.js', import.meta.url),
  'utf8',
)
