import { unknownName } from '@servicekit/core'
import { ConfigError } from './errors.ts'

/**
 * Throws for an unknown option and suggests the closest known one.
 *
 * @param kind Noun for the option, such as `client option`.
 * @throws ConfigError
 */
export function checkOptions(kind: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new ConfigError(unknownName(kind, unknown, known))
}
