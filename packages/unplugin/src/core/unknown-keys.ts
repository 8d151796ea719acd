import type { UnknownKey, UnknownKeyError } from './unknown-key.ts'

/** Unknown keys in the files of a development server. */
export interface UnknownKeys {
  /** Replaces the errors of a file and returns the new ones. */
  readonly report: (file: string, errors: readonly UnknownKeyError[]) => readonly UnknownKeyError[]
  /** Returns the errors of a file. */
  readonly of: (file: string) => readonly UnknownKeyError[]
  /** Returns the error of an unknown key in any file that imports it. */
  readonly find: (unknown: UnknownKey) => UnknownKeyError | undefined
}

export function createUnknownKeys(): UnknownKeys {
  const files = new Map<string, readonly UnknownKeyError[]>()
  return {
    report(file, errors) {
      const known = new Set(files.get(file)?.map(({ message }) => message))
      if (errors.length > 0) files.set(file, errors)
      else files.delete(file)
      return errors.filter(({ message }) => !known.has(message))
    },
    of: (file) => files.get(file) ?? [],
    find: ({ module, name }) =>
      [...files.values()].flat().find((error) => error.module === module && error.name === name),
  }
}
