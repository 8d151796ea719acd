import { readFileSync } from 'node:fs'

/**
 * Source of the runtime, with `__UILM_CONFIG__` where the project's languages
 * go. This file stays one level below the package, in src and in dist alike.
 */
export const runtimeTemplate: string = readFileSync(
  new URL('../runtime/runtime.js', import.meta.url),
  'utf8',
)
