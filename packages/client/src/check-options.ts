import { closest } from 'fastest-levenshtein'
import { ConfigError } from './errors.ts'

/**
 * Refuses options that nobody reads, naming the one that was probably meant.
 *
 * @throws ConfigError
 */
export function checkOptions(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    throw new ConfigError(`There is no option "${name}" among the ${what}`, {
      help: `Did you mean "${closest(name, known)}"?`,
    })
  }
}
