import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Reads a file; returns undefined if it does not exist. */
export const readIfExists = (file: string): Promise<Buffer | undefined> =>
  readFile(file).catch(undefinedIfMissing)

/** Reads a file as UTF-8; returns undefined if it does not exist. */
export const readTextIfExists = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch(undefinedIfMissing)

/** Synchronous version of {@link readIfExists}. */
export function readIfExistsSync(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    return undefinedIfMissing(error)
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
