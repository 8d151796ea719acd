import { isMissingMarker } from '@servicekit/contract/limits'
import { fileClash } from '@servicekit/core'
import type { MessageSyntax } from '@servicekit/catalog/inspection'
import { entriesOf, type Found, invalidReason } from './found-entries.ts'
import type { NameMapping, ProjectNames } from './import-names.ts'
import { findTextProblems, type TextProblem } from './import-problems.ts'
import type { ReadFile } from './read-translations.ts'

/** Key of a project with its current texts: drafts, or else what is served. */
interface CurrentKey {
  readonly module: string
  readonly key: string
  readonly texts: Readonly<Record<string, string | null>>
  /** States by language of the texts that are reviewed or need a review. */
  readonly states?: Readonly<Record<string, string>> | undefined
  readonly maxLength?: number | undefined
}

/** Project that texts are imported into. */
interface ImportProject extends ProjectNames {
  readonly keys: readonly CurrentKey[]
  /** Syntax of the messages; `double-brace` by default. */
  readonly syntax?: MessageSyntax
}

/** Choices of an import. */
interface ImportOptions {
  readonly mapping: NameMapping
  /** Text that is added before each key, such as `shop.`. */
  readonly keyPrefix: string
  /** Replaces translations that differ; otherwise the current ones are kept. */
  readonly isReplacing: boolean
  /** Imports translations that pages would not show, because their placeholders differ. */
  readonly acceptsProblems: boolean
  /** Leaves out translations that need a review. */
  readonly skipsUnreviewed: boolean
}

/** Place of a text in a file. */
interface TextPlace {
  readonly file: string
  readonly line: number | undefined
}

/** Translation to import. */
interface ImportChange extends TextPlace {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly value: string
  /** Current text; null if there is none. */
  readonly previous: string | null
  readonly isNewKey: boolean
  readonly context?: string | undefined
  readonly maxLength?: number | undefined
}

/** Text that is reviewed in the files, and not yet in the project. */
interface ImportReview {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly value: string
}

/** Entry that is left out, or that someone should look at. */
export interface ImportIssue extends TextPlace {
  readonly kind:
    | 'duplicate'
    | 'conflict'
    | 'invalid'
    | 'placeholder'
    | 'problem'
    | 'source-changed'
    | 'skipped'
  readonly module: string
  readonly key: string
  readonly language: string
  /** End of a sentence that begins with the key. */
  readonly message: string
  /** True if the import leaves the translation out. */
  readonly isLeftOut: boolean
}

/** Changes of an import, and what is left out. */
export interface ImportPlan {
  readonly newLanguages: readonly string[]
  readonly newModules: readonly string[]
  readonly newKeys: number
  readonly changes: readonly ImportChange[]
  /** Imported texts, and those that are the same already, that become reviewed. */
  readonly reviews: readonly ImportReview[]
  readonly issues: readonly ImportIssue[]
  /** Translations that are the same already. */
  readonly unchanged: number
  /** Entries without a text, or with a copy of their source. */
  readonly untranslated: number
  /** Translations that need a review. */
  readonly unreviewed: number
}

const idOf = (module: string, key: string, language = ''): string =>
  JSON.stringify([module, key, language])

const changeId = ({ module, key, language }: ImportReview): string => idOf(module, key, language)

/** Plans an import. Nothing is changed: the caller shows the plan, and sends its changes. */
export function planImport(
  files: readonly ReadFile[],
  project: ImportProject,
  options: ImportOptions,
): ImportPlan {
  const issues: ImportIssue[] = files.flatMap(({ path, skipped }) =>
    skipped.map(({ key, line, reason }) => ({
      kind: 'skipped' as const,
      file: path,
      line,
      module: '',
      key,
      language: '',
      message: reason,
      isLeftOut: true,
    })),
  )
  const report = (
    kind: ImportIssue['kind'],
    { file, entry, module, key, language }: Found,
    message: string,
    isLeftOut = true,
  ): void => {
    issues.push({ kind, file, line: entry.line, module, key, language, message, isLeftOut })
  }
  const counts = { unchanged: 0, untranslated: 0, unreviewed: 0 }
  const accepted = new Map<string, Found>()
  const rejected = new Set<string>()
  for (const found of entriesOf(files, project, options)) {
    const { entry, module, key, language } = found
    if (entry.value === '' || entry.state === 'untranslated' || isMissingMarker(entry.value)) {
      counts.untranslated++
      continue
    }
    if (entry.state === 'needs-review') {
      counts.unreviewed++
      if (options.skipsUnreviewed) continue
    }
    const problem = invalidReason(found)
    if (problem !== undefined) {
      report('invalid', found, problem)
      continue
    }
    const id = idOf(module, key, language)
    const earlier = accepted.get(id)
    if (!earlier) accepted.set(id, found)
    else if (entry.isSource || earlier.entry.isSource) {
      // A translation of the file precedes the source text that another one was made from.
      if (!entry.isSource) accepted.set(id, found)
    } else if (earlier.entry.value !== entry.value) {
      if (!rejected.has(id)) report('duplicate', earlier, 'occurs several times with other texts')
      report(
        'duplicate',
        found,
        `differs from line ${earlier.entry.line ?? '?'} of ${earlier.file}`,
      )
      rejected.add(id)
    }
  }
  for (const id of rejected) accepted.delete(id)

  const current = new Map(project.keys.map((one) => [idOf(one.module, one.key), one]))
  const changes: ImportChange[] = []
  const reviews: ImportReview[] = []
  for (const found of accepted.values()) {
    const { entry, file, module, key, language } = found
    const known = current.get(idOf(module, key))
    const stored = known?.texts[language] ?? null
    const previous = stored === null || isMissingMarker(stored) ? null : stored
    const isReviewed = entry.state === 'reviewed' && known?.states?.[language] !== 'reviewed'
    const review = { module, key, language, value: entry.value }
    if (previous === entry.value) {
      counts.unchanged++
      if (isReviewed) reviews.push(review)
      continue
    }
    if (previous !== null && previous !== '') {
      if (entry.isSource) {
        const shown = JSON.stringify(previous)
        report('source-changed', found, `was translated from another text than ${shown}`)
        continue
      }
      const kept = options.isReplacing ? 'replaces' : 'differs from, and is left out for,'
      report('conflict', found, `${kept} ${JSON.stringify(previous)}`, !options.isReplacing)
      if (!options.isReplacing) continue
    }
    if (entry.state === 'reviewed') reviews.push(review)
    changes.push({
      ...review,
      previous: stored,
      isNewKey: known === undefined,
      file,
      line: entry.line,
      context: entry.context,
      maxLength: entry.maxLength,
    })
  }
  const kept = withoutProblems(changes, project, options, issues)
  const keptIds = new Set(kept.map(changeId))
  const leftOut = new Set(changes.map(changeId).filter((id) => !keptIds.has(id)))
  const newNames = (names: readonly string[], known: readonly string[]): readonly string[] => [
    ...new Set(names.filter((name) => !known.includes(name))),
  ]
  const newKeys = new Set(
    kept.flatMap(({ module, key, isNewKey }) => (isNewKey ? [idOf(module, key)] : [])),
  )
  return {
    newLanguages: newNames(
      kept.map(({ language }) => language),
      project.languages,
    ),
    newModules: newNames(
      kept.map(({ module }) => module),
      project.modules,
    ),
    newKeys: newKeys.size,
    changes: kept,
    reviews: reviews.filter((review) => !leftOut.has(changeId(review))),
    issues,
    ...counts,
  }
}

/** Returns the changes that pages would show, and reports the problems of all. */
function withoutProblems(
  changes: readonly ImportChange[],
  project: ImportProject,
  { acceptsProblems }: ImportOptions,
  issues: ImportIssue[],
): readonly ImportChange[] {
  const byId = new Map(
    changes.map((change) => [idOf(change.module, change.key, change.language), change]),
  )
  const leftOut = new Set<string>()
  for (const problem of problemsOf(changes, project)) {
    const id = idOf(problem.module, problem.key, problem.language)
    const change = byId.get(id)
    if (!change) continue
    const isLeftOut = problem.isRefused && !acceptsProblems
    if (isLeftOut) leftOut.add(id)
    const { file, line, module, key, language } = change
    const kind = problem.isRefused ? 'placeholder' : 'problem'
    issues.push({ kind, file, line, module, key, language, message: problem.message, isLeftOut })
  }
  return changes.filter(({ module, key, language }) => !leftOut.has(idOf(module, key, language)))
}

/** Returns the problems of the messages that an import changes, as they are after it. */
function problemsOf(
  changes: readonly ImportChange[],
  { keys, languages, defaultLanguage, syntax }: ImportProject,
): readonly TextProblem[] {
  if (defaultLanguage === undefined) return []
  const plural = /_(?:ordinal_)?(?:zero|one|two|few|many|other)$/
  const baseOf = (module: string, key: string): string => idOf(module, key.replace(plural, ''))
  const changed = new Set(changes.map(({ module, key }) => baseOf(module, key)))
  const modules = new Map<string, Map<string, Map<string, string>>>()
  const maxLengths = new Map<string, Map<string, number>>()
  const set = (
    module: string,
    key: string,
    texts: readonly (readonly [string, string])[],
  ): void => {
    const own = modules.get(module) ?? new Map<string, Map<string, string>>()
    modules.set(module, own.set(key, new Map([...(own.get(key) ?? []), ...texts])))
  }
  const limit = (module: string, key: string, maxLength: number | undefined): void => {
    if (maxLength === undefined) return
    maxLengths.set(module, (maxLengths.get(module) ?? new Map()).set(key, maxLength))
  }
  for (const { module, key, texts, maxLength } of keys) {
    if (!changed.has(baseOf(module, key))) continue
    set(
      module,
      key,
      Object.entries(texts).flatMap(([code, text]) =>
        text === null || isMissingMarker(text) ? [] : [[code, text] as const],
      ),
    )
    limit(module, key, maxLength)
  }
  for (const { module, key, language, value, maxLength } of changes) {
    set(module, key, [[language, value]])
    limit(module, key, maxLength)
  }
  const codes = new Set([...languages, ...changes.map(({ language }) => language)])
  return findTextProblems(modules, {
    languages: [...codes],
    defaultLanguage,
    maxLengths,
    ...(syntax && { syntax }),
  })
}

/** Returns why the names of an import cannot be created; undefined if they can. */
export function nameClashOf(
  { newLanguages, newModules }: ImportPlan,
  { languages, modules }: ProjectNames,
): string | undefined {
  for (const [what, names] of [
    ['languages', [...languages, ...newLanguages]],
    ['modules', [...modules, ...newModules]],
  ] as const) {
    const clash = fileClash(names)
    if (clash) return `the ${what} ${clash.join(' and ')} have the same file name`
  }
  return undefined
}
