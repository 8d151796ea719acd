import { fileClash, languageCodeProblem, nameProblem } from '@servicekit/core'
import type { ProjectSource } from '../project-source.ts'

const maxModuleLength = 100
/** An index of PostgreSQL has at most 2,704 bytes for a key with its module. */
const maxKeyLength = 500

/** Invalid name of a project's source. */
interface SourceProblem {
  /** Steps of the parsed value that name a file, such as `texts`, `en`, `auth`. */
  readonly file: readonly string[]
  readonly member: string
  readonly problem: string
}

/** Returns why a text cannot be a language code, as a sentence without its end. */
function languageProblem(code: string): string | undefined {
  const problem = languageCodeProblem(code)
  return problem && `the language code ${quoted(code)} ${problem}`
}

/** Returns why a text cannot be the name of a module, as a sentence without its end. */
function moduleProblem(name: string): string | undefined {
  const problem = lengthProblem(name, maxModuleLength) ?? nameProblem(name)
  return problem && `the module name ${quoted(name)} ${problem}`
}

/** Returns why a text cannot be a key, as a sentence without its end. */
export function keyProblem(key: string): string | undefined {
  const problem = lengthProblem(key, maxKeyLength) ?? nameProblem(key)
  return problem && `the key ${quoted(key)} ${problem}`
}

const lengthProblem = (name: string, limit: number): string | undefined =>
  name.length > limit ? `cannot be longer than ${limit} characters` : undefined

const quoted = (name: string): string =>
  JSON.stringify(name.length > maxModuleLength ? `${name.slice(0, maxModuleLength)}…` : name)

/** Translation files are named after language and module, and many file systems ignore case. */
function clashProblem(what: 'languages' | 'modules', names: readonly string[]): string | undefined {
  const clash = fileClash(names)
  if (!clash) return undefined
  const [one, other] = clash.map((name) => JSON.stringify(name))
  return `the ${what} ${one} and ${other} would have the same file name where case is ignored`
}

/**
 * Returns why a language cannot be added to others, as a sentence without its end. A build refuses
 * what this file refuses, so that each project that the platform accepts can be pulled.
 */
export const newLanguageProblem = (code: string, codes: readonly string[]): string | undefined =>
  languageProblem(code) ?? clashProblem('languages', [...codes, code])

/** Returns why a module cannot be added to others, as a sentence without its end. */
export const newModuleProblem = (name: string, names: readonly string[]): string | undefined =>
  moduleProblem(name) ?? clashProblem('modules', [...names, name])

/** Returns why a text cannot be the fallback language. A project without languages may lack one. */
function fallbackProblem(fallback: string, codes: readonly string[]): string | undefined {
  if (codes.length === 0) return fallback === '' ? undefined : languageProblem(fallback)
  return codes.includes(fallback)
    ? undefined
    : `the fallback ${quoted(fallback)} is not a language of the project`
}

/** Returns the first problem in the names of a project's source. */
export function sourceProblem({
  fallback,
  languages,
  modules,
  files,
}: Pick<ProjectSource, 'fallback' | 'languages' | 'modules' | 'files'>): SourceProblem | undefined {
  const codes = languages.map(({ languageCode }) => languageCode)
  const names = modules.map(({ moduleName }) => moduleName)
  for (const [index, code] of codes.entries()) {
    const problem = languageProblem(code)
    if (problem) return { file: ['languages'], member: `${index}.languageCode`, problem }
  }
  for (const [index, name] of names.entries()) {
    const problem = moduleProblem(name)
    if (problem) return { file: ['modules'], member: `${index}.moduleName`, problem }
  }
  for (const [what, all] of [
    ['languages', codes],
    ['modules', names],
  ] as const) {
    const problem = clashProblem(what, all)
    if (problem) return { file: [what], member: '', problem }
  }
  const unknown = fallbackProblem(fallback, codes)
  if (unknown) return { file: ['project'], member: 'fallback', problem: unknown }
  for (const { language, module, texts } of files) {
    for (const key of texts.keys()) {
      const problem = keyProblem(key)
      if (problem) return { file: ['texts', language, module], member: key, problem }
    }
  }
  return undefined
}
