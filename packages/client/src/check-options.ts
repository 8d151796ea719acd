import { formatChoice, invalidValue, isObject, listNames, unknownName } from '@servicekit/core'
import { ConfigError } from './errors.ts'

/**
 * Throws unless `given` is an object that has known options only. Suggests the closest known
 * option.
 *
 * @param kind Noun for the option, such as `client option`.
 * @throws ConfigError
 */
export const checkOptions = (kind: string, given: object, known: readonly string[]): void =>
  checkListedOptions(kind, given, known, unknownName)

/** Like {@link checkOptions}, without the search for the closest option: lists them all. */
export function checkListedOptions(
  kind: string,
  given: object,
  known: readonly string[],
  describe = listNames,
): void {
  if (!isObject(given)) throw new ConfigError(`The ${kind}s must be an object`)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new ConfigError(describe(kind, unknown, known))
}

/**
 * Returns the value of an option that is one of these.
 *
 * @throws ConfigError
 */
export function readChoice<const T>(name: string, value: unknown, allowed: readonly T[]): T {
  if (allowed.includes(value as T)) return value as T
  throw new ConfigError(invalidValue(name, formatChoice(allowed), value))
}
