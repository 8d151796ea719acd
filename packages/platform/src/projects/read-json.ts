import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { PlatformError } from '../errors.ts'

/** Creates the error for an invalid project file, naming the file and the member. */
export function projectFault(file: string, member: string, fault: string): PlatformError {
  return new PlatformError('PROJECT_INVALID', `The project cannot be loaded: ${fault}`, {
    details: { file, ...(member ? { member } : {}) },
  })
}

/**
 * Reads the JSON value of a file, or returns undefined if the file does not exist.
 *
 * @throws PlatformError `PROJECT_INVALID` when the file cannot be read or is not JSON.
 */
export async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw new PlatformError('PROJECT_INVALID', 'A file of the project cannot be read.', {
      cause,
      details: { file: path },
    })
  })
  if (text === undefined) return undefined
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown
  } catch (error) {
    throw projectFault(path, '', `it is not JSON (${(error as Error).message})`)
  }
}

/**
 * Parses a value with `schema`.
 *
 * @throws PlatformError `PROJECT_INVALID` with file and member.
 */
export function readValue<S extends z.ZodType>(
  schema: S,
  value: unknown,
  file: string,
): z.infer<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw projectFault(file, issue.path.map(String).join('.'), issue.message)
}
