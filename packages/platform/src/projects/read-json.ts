import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { PlatformError } from '../errors.ts'

/** A fault in a project's files, naming the file and the member. */
export function projectFault(file: string, member: string, fault: string): PlatformError {
  return new PlatformError('PROJECT_INVALID', `The project cannot be loaded: ${fault}`, {
    facts: { file, ...(member ? { member } : {}) },
  })
}

/** The text of a file, or undefined when there is none. */
export const readText = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new PlatformError('PROJECT_INVALID', 'A file of the project cannot be read.', {
      cause: error,
      facts: { file: path },
    })
  })

/**
 * Reads JSON text of `file` into the shape of `schema`.
 *
 * @throws PlatformError `PROJECT_INVALID` with file and member.
 */
export function parseJson<S extends z.ZodType>(schema: S, text: string, file: string): z.infer<S> {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw projectFault(file, '', `it is not JSON (${(error as Error).message})`)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw projectFault(file, issue.path.map(String).join('.'), issue.message)
}
