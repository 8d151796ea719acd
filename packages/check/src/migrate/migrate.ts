import { type Project, readText, sourceTypeOf, writeIfChanged } from '@servicekit/catalog'
import { memoize } from '@servicekit/core'
import { resolve } from 'node:path'
import { readSources, type SourceFile } from '../usage/read-sources.ts'
import { type ResolvedReference, resolveReferences } from '../usage/usage.ts'
import { applyEdits } from './edits.ts'
import { readArgumentTypes } from './argument-types.ts'
import { createComponentReader } from './component-reader.ts'
import { type Replacement, findReplacement } from './replacement.ts'
import { rewriteFile } from './rewrite-file.ts'
import { unifiedDiff } from './unified-diff.ts'

export interface MigrateOptions {
  readonly project: Project
  /** Source folders relative to the root; `['.']` by default. */
  readonly sources?: readonly string[]
  /**
   * Import prefixes and their folders, in addition to `paths` in the tsconfig:
   * `{ '@/': 'src/' }`.
   */
  readonly aliases?: Readonly<Record<string, string>>
  /** Names of functions that return `t` or an object containing it, as for `check`. */
  readonly hooks?: readonly string[]
  /** Writes the files. By default they are only reported. */
  readonly write?: boolean
}

/** Rewritten file. */
export interface MigratedFile {
  /** Path relative to the root, with `/` separators. */
  readonly file: string
  /** Number of replaced calls. */
  readonly calls: number
  /** Changes in unified diff format. */
  readonly diff: string
  readonly text: string
}

/** Call that is not migrated. */
export interface SkippedCall {
  readonly file: string
  /** One-based. */
  readonly line: number
  readonly column: number
  /** Code of the call on one line, truncated. */
  readonly code: string
  readonly reason: string
}

export interface MigrateReport {
  readonly files: readonly MigratedFile[]
  readonly skipped: readonly SkippedCall[]
  readonly calls: number
  readonly written: number
}

/**
 * Rewrites i18next calls `t('KEY', {…})` to typed imports. Calls whose equivalence cannot
 * be proven are kept and listed. Yields each file with its diff before anything is
 * written; stop iterating to cancel.
 *
 * ```diff
 * -import { useTranslation } from 'react-i18next'
 * +import { WELCOME } from '~uilm/auth'
 * +import { useLanguage } from '~uilm/react'
 * -  const { t } = useTranslation('auth')
 * -  return <h1>{t('WELCOME', { name })}</h1>
 * +  useLanguage()
 * +  return <h1>{WELCOME({ name })}</h1>
 * ```
 *
 * @throws ServicekitError SNAPSHOT_MISSING, SNAPSHOT_DRIFT, EMIT_FAILED
 */
export async function* migrate(
  options: MigrateOptions,
): AsyncGenerator<MigratedFile, MigrateReport> {
  const { project, write = false } = options
  const { root } = project.options
  const model = await project.load()
  const sources = readSources(project.options, options.sources, options.aliases)
  const { files: sourceFiles } = sources
  const skipped: SkippedCall[] = []
  const found = resolveReferences(model, sources, options).filter((one) => {
    if (one.reference.by !== 'i18next') return false
    const type = sourceTypeOf(one.path)
    const isRewritten = type === 'script' || isComponent(one.path)
    if (!isRewritten) skipped.push(skippedCall(one, `${type} files are not rewritten`))
    return isRewritten
  })
  const reader = createComponentReader(root)
  const texts = new Map(sourceFiles.map(({ path, text }) => [path, text]))
  const componentOf = memoize((path: string) =>
    isComponent(path) ? reader.read(path, texts.get(path)!) : undefined,
  )
  const types = readArgumentTypes(root, [...new Set(found.map(({ path }) => path))])
  const projectInfo = {
    types,
    hasGlobalT: hasGlobalT(sourceFiles),
    modulesWith: (key: string) =>
      model.modules
        .filter(({ messages }) => messages.some((one) => one.key === key))
        .map(({ name }) => name),
  }
  const replacements = new Map<
    string,
    { readonly one: ResolvedReference; readonly calls: Replacement[] }
  >()
  for (const one of found) {
    const result = findReplacement(one, { ...projectInfo, component: componentOf(one.path) })
    if (typeof result === 'string') skipped.push(skippedCall(one, result))
    else {
      const file = replacements.get(one.path) ?? { one, calls: [] }
      file.calls.push(result)
      replacements.set(one.path, file)
    }
  }
  const files: MigratedFile[] = []
  for (const { path, text } of sourceFiles) {
    const file = replacements.get(path)
    if (!file) continue
    const component = componentOf(path)
    const after = applyEdits(
      text,
      rewriteFile(file.one, file.calls, {
        component: typeof component === 'object' ? component : undefined,
        takesStringNames: types.takesStringNames(path),
      }),
    )
    const rewritten = component && reader.read(path, after)
    if (typeof rewritten === 'string') {
      throw new TypeError(`Rewriting ${path} produced invalid code: ${rewritten}`)
    }
    const diff = unifiedDiff(path, text, after)
    const migrated = { file: path, calls: file.calls.length, diff, text: after }
    files.push(migrated)
    yield migrated
  }
  let written = 0
  // Before anything is written: a file that is not UTF-8 would lose characters.
  for (const { file } of write ? files : []) await readText(resolve(root, file))
  for (const { file, text } of write ? files : []) {
    if (await writeIfChanged(resolve(root, file), text)) written++
  }
  return { files, skipped, calls: files.reduce((sum, { calls }) => sum + calls, 0), written }
}

const isComponent = (path: string): boolean => /\.(?:vue|svelte)$/.test(path)

/** Returns whether `$t` in Vue templates is always that of i18next. */
const hasGlobalT = (sourceFiles: readonly SourceFile[]): boolean =>
  sourceFiles.some(({ text }) => /from\s*['"]i18next-vue['"]/.test(text) && /\.use\(/.test(text)) &&
  !sourceFiles.some(({ text }) => /['"]vue-i18n['"]|\$t\s*[=:]/.test(text))

function skippedCall({ path, reference, read }: ResolvedReference, reason: string): SkippedCall {
  const { source } = read
  const { line, character } = source.getLineAndCharacterOfPosition(reference.node.getStart(source))
  const code = reference.node.getText(source).replaceAll(/\s+/g, ' ').slice(0, 80)
  return { file: path, line: line + 1, column: character + 1, code, reason }
}
