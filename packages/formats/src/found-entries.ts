import { languageCodeProblem, nameProblem, stringProblem } from '@servicekit/core'
import type { FileEntry } from './entry.ts'
import type { NameMapping, ProjectNames } from './import-names.ts'
import type { ReadFile } from './read-translations.ts'

/** Entry of a file, with the names of the project. */
export interface Found {
  readonly entry: FileEntry
  readonly file: string
  readonly module: string
  readonly key: string
  readonly language: string
}

/** The platform accepts no longer names. */
const maxKeyLength = 500

/** Returns the entries with the names of the project, without those that the mapping leaves out. */
export function entriesOf(
  files: readonly ReadFile[],
  { defaultLanguage }: ProjectNames,
  {
    mapping,
    keyPrefix,
  }: {
    readonly mapping: NameMapping
    /** Text that is added before each key. */
    readonly keyPrefix: string
  },
): readonly Found[] {
  return files.flatMap(({ path, entries }) =>
    entries.flatMap((entry): readonly Found[] => {
      const module = mapping.modules.get(entry.module ?? '')
      const language =
        entry.language === undefined && entry.isSource
          ? defaultLanguage
          : mapping.languages.get(entry.language ?? '')
      if (!module || !language) return []
      return [{ entry, file: path, module, key: keyPrefix + entry.key, language }]
    }),
  )
}

/** Returns why the platform would refuse an entry, if it would. */
export function invalidReason({ entry, module, key, language }: Found): string | undefined {
  const problem = nameProblem(key) ?? stringProblem(entry.value)
  if (problem !== undefined) return problem
  if (key.length > maxKeyLength) return `is longer than ${maxKeyLength} characters`
  const moduleProblem = nameProblem(module)
  if (moduleProblem !== undefined)
    return `is in the module ${JSON.stringify(module)}, which ${moduleProblem}`
  const languageProblem = languageCodeProblem(language)
  return (
    languageProblem && `is in the language ${JSON.stringify(language)}, which ${languageProblem}`
  )
}
