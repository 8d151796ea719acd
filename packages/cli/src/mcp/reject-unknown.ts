import { ConfigError } from '@servicekit/client'
import { findClosest } from '@servicekit/core'

/** Known names that a message lists if none is similar. */
const maxListed = 30

/**
 * Rejects a name that is not known. Long lists are not part of the message.
 *
 * @throws ConfigError with the closest name, or with the known ones.
 */
export function rejectUnknown(
  kind: string,
  name: string | undefined,
  known: readonly string[],
): void {
  if (name === undefined || known.includes(name)) return
  const closest = findClosest(name, known)
  const more = known.length > maxListed ? ` and ${known.length - maxListed} more` : ''
  throw new ConfigError(`Unknown ${kind} "${name}"`, {
    help:
      closest === undefined
        ? `Known ${kind}s: ${known.slice(0, maxListed).join(', ')}${more}.`
        : `Did you mean "${closest}"?`,
  })
}
