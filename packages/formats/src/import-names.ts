import { nameProblem } from '@servicekit/core'
import { canonicalLanguage, matchLanguage } from './language-name.ts'
import { namesOfPath } from './path-names.ts'
import type { ReadFile } from './read-translations.ts'

/** Languages and modules of a project. */
export interface ProjectNames {
  readonly languages: readonly string[]
  readonly defaultLanguage: string | undefined
  readonly modules: readonly string[]
}

/** Languages and modules of a project by their names in files. Null leaves the translations out. */
export interface NameMapping {
  /** Language by its name in the files; `''` is the name of files that do not tell it. */
  readonly languages: ReadonlyMap<string, string | null>
  /** Module by its name in the files; `''` is the name of files that do not tell it. */
  readonly modules: ReadonlyMap<string, string | null>
}

/** Names that the entries of files use; empty for those that do not tell. */
interface NamesInFiles {
  readonly languages: readonly string[]
  readonly modules: readonly string[]
}

/** Returns the languages and modules that files name, in their order. */
export function namesInFiles(files: readonly ReadFile[]): NamesInFiles {
  const languages = new Set<string>()
  const modules = new Set<string>()
  for (const { entries } of files) {
    for (const { language, module, isSource } of entries) {
      if (language !== undefined || !isSource) languages.add(language ?? '')
      modules.add(module ?? '')
    }
  }
  return { languages: [...languages], modules: [...modules] }
}

/**
 * Returns the most likely meaning of the names in files: `de` is `de-DE`, `src/shop.json` is the
 * module `shop`. Files that name no language are of the default language.
 */
export function suggestMapping(files: readonly ReadFile[], project: ProjectNames): NameMapping {
  const names = namesInFiles(files)
  const fallback = project.modules.length === 1 ? project.modules[0]! : 'common'
  return {
    languages: new Map(
      names.languages.map((name) => [
        name,
        name === ''
          ? (project.defaultLanguage ?? null)
          : (matchLanguage(name, project.languages) ?? canonicalLanguage(name)),
      ]),
    ),
    modules: new Map(
      names.modules.map((name) => [
        name,
        name === '' ? fallback : moduleFor(name, project.modules),
      ]),
    ),
  }
}

/**
 * Returns the default language of a project that has no language yet: the one that files were
 * translated from, otherwise English, otherwise the one with the most texts.
 */
export function suggestDefaultLanguage(
  files: readonly ReadFile[],
  { languages }: NameMapping,
): string | undefined {
  const counts = new Map<string, number>()
  for (const { entries } of files) {
    for (const { language = '', isSource } of entries) {
      const code = languages.get(language)
      if (!code) continue
      const weight = isSource || /^en\b/.test(code) ? 1_000_000 : 1
      counts.set(code, (counts.get(code) ?? 0) + weight)
    }
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

/** Returns the module that a name in a file means, which may be the path of the original file. */
function moduleFor(name: string, modules: readonly string[]): string {
  const exact = modules.find((module) => module === name)
  if (exact !== undefined) return exact
  const isPath =
    /\.(?:json|xml|strings|xcstrings|po|pot|properties|ya?ml|arb|html?|php|tsx?|jsx?|csv|resx|md|txt)$/i
  const short = isPath.test(name) ? (namesOfPath(name).module ?? 'common') : name
  const same = modules.find((module) => module.toLowerCase() === short.toLowerCase())
  return same ?? (nameProblem(short) ? 'common' : short)
}
