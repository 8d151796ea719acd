import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { PlatformError } from '../errors.ts'

/** A fault in a project's files, naming the file and the member. */
export function projectFault(file: string, member: string, fault: string): PlatformError {
  return new PlatformError('PROJECT_INVALID', `The project cannot be loaded: ${fault}`, {
    facts: { file, ...(member ? { member } : {}) },
  })
}

/**
 * The JSON value of a file, or undefined when there is no such file.
 *
 * @throws PlatformError `PROJECT_INVALID` when it cannot be read, or is not JSON.
 */
export async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw new PlatformError('PROJECT_INVALID', 'A file of the project cannot be read.', {
      cause,
      facts: { file: path },
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
 * Reads a value into the shape of `schema`.
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
