// oxlint-disable-next-line no-restricted-imports -- the function that every other file uses
import { type BigIntStats, statSync } from 'node:fs'

/**
 * Returns what a file or folder is; undefined if it does not exist.
 *
 * In big integers, because `statSync` of a named pipe or a socket in numbers has an effect on Node
 * before version 24: `realpathSync` then ends at folders that it knows, and links to modules are not
 * resolved, until the next `statSync`.
 */
export function statIfExists(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    // A path below a file does not exist either.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}
