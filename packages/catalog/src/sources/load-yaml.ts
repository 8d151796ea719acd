import { memoize, type Yaml } from '@servicekit/core'
import { createRequire } from 'node:module'

/** Loaded only for folders that have such files. */
export const loadYaml = memoize(
  (_: undefined): Yaml => createRequire(import.meta.url)('yaml') as Yaml,
)
