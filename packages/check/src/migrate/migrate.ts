import { type Project, readText, replaceFiles, sourceTypeOf } from '@servicekit/catalog'
import { memoize } from '@servicekit/core'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ts } from 'ts-morph'
import { vuePackage } from '../usage/hooks.ts'
import { isTest } from '../usage/passed-translators.ts'
import type { ReadFile } from '../usage/read-file.ts'
import { readSources, type SourceFile } from '../usage/read-sources.ts'
import { openedFiles, type ResolvedReference } from '../usage/usage.ts'
import { applyEdits } from '../edit/edits.ts'
import { readArgumentTypes } from './argument-types.ts'
import { findLibrarySetups } from './language-sync.ts'
import { createComponentReader } from './component-reader.ts'
import { findReplacement, type ProjectInfo, type Replacement } from './replacement.ts'
import { rewriteFile } from './rewrite-file.ts'
import { findStoredLanguage, type StoredLanguage } from './stored-language.ts'
import { rejectUnsupportedLibrary } from './unsupported-libraries.ts'
import type { Range } from './component.ts'
import { unifiedDiff } from '../edit/unified-diff.ts'

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
  /**
   * Where the other library stores the language. With this key as the option `storageKey`, both
   * libraries read and write the same.
   */
  readonly storedLanguage: StoredLanguage | undefined
}

/**
 * Rewrites calls `t('KEY', {…})` of i18next, next-intl and vue-i18n to typed imports. Calls whose
 * equivalence cannot be proven are kept and listed. Yields each file with its diff before anything
 * is written; stop iterating to cancel.
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
 * @throws ConfigError for an application of a library that is not converted.
 * @throws ServicekitError SNAPSHOT_MISSING, SNAPSHOT_DRIFT, EMIT_FAILED
 */
export async function* migrate(
  options: MigrateOptions,
): AsyncGenerator<MigratedFile, MigrateReport> {
  const { project, write = false } = options
  const { root } = project.options
  const model = await project.load()
  const sources = readSources(project.options, options.sources, options.aliases)
  const { files: sourceFiles, routes } = sources
  rejectUnsupportedLibrary(sourceFiles)
  const skipped: SkippedCall[] = []
  const opened = openedFiles(model, sources, options)
  const references = opened.flatMap((one) => one.references)
  const found = references.filter((one) => {
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
    globalT: globalTOf(sourceFiles),
    syntax: model.options.syntax,
    modulesWith: memoize((key: string) =>
      model.modules.filter(({ messages }) => messages.some((one) => one.key === key)),
    ),
  }
  const replacements = new Map<string, Replacement[]>()
  for (const one of found) {
    const result = findReplacement(one, { ...projectInfo, component: componentOf(one.path) })
    if (typeof result === 'string') {
      skipped.push(skippedCall(one, result))
      continue
    }
    const calls = replacements.get(one.path) ?? []
    calls.push(result)
    replacements.set(one.path, calls)
  }
  for (const { path, text } of sourceFiles) {
    const component = /<(?:i18n-t|I18nT|Translation)\b/.test(text) ? componentOf(path) : undefined
    for (const element of typeof component === 'object' ? component.translationElements : []) {
      // Others are usages of a message.
      if (element.own.get('keypath')?.text === undefined)
        skipped.push(skippedElement(path, text, element))
    }
  }
  const memberNames = memberNamesIn(sourceFiles)
  const isPassedOn = [...replacements.values()].flat().some(({ isPassed }) => isPassed)
  const files: MigratedFile[] = []
  for (const file of opened) {
    const { path } = file
    const calls = replacements.get(path) ?? []
    // Both libraries are in use only if calls of one are replaced.
    const setups = replacements.size > 0 ? findLibrarySetups(file) : []
    for (const { call, instance, entry } of setups) {
      if (instance !== undefined) continue
      const reason = `it has no name: call syncLanguage of ${entry} with its result`
      skipped.push(skippedNode(path, file.read, call, reason))
    }
    const isChanged = calls.length > 0 || setups.some(({ instance }) => instance !== undefined)
    // Components that only pass `t` on must render again for those that call messages.
    if (!isChanged && !(isPassedOn && file.passed.size > 0)) continue
    const text = texts.get(path)!
    const component = componentOf(path)
    const after = applyEdits(
      text,
      rewriteFile(file, calls, {
        component: typeof component === 'object' ? component : undefined,
        takesStringNames: types.takesStringNames(path),
        memberNames,
        setups,
        specifierFor: (specifier) =>
          routes.specifierFor(
            path,
            specifier,
            model,
            file.read.imports.map((one) => one.specifier),
          ),
      }),
    )
    const rewritten = component && reader.read(path, after)
    if (typeof rewritten === 'string') {
      throw new TypeError(`Rewriting ${path} produced invalid code: ${rewritten}`)
    }
    const diff = unifiedDiff(path, text, after)
    const migrated = { file: path, calls: calls.length, diff, text: after }
    files.push(migrated)
    yield migrated
  }
  let written = 0
  // Before anything is written: a file that is not UTF-8 would lose characters.
  for (const { file } of write ? files : []) await readText(resolve(root, file))
  if (write) {
    const changes = files.map(({ file, text }) => ({
      path: realpathSync(resolve(root, file)),
      text,
      from: texts.get(file)!,
    }))
    written = (await replaceFiles(changes)).size
  }
  return {
    files,
    skipped,
    calls: files.reduce((sum, { calls }) => sum + calls, 0),
    written,
    storedLanguage: replacements.size > 0 ? findStoredLanguage(sourceFiles) : undefined,
  }
}

const isComponent = (path: string): boolean => /\.(?:vue|svelte)$/.test(path)

/** Returns the library whose `t` every `$t` in Vue components is. */
function globalTOf(sourceFiles: readonly SourceFile[]): ProjectInfo['globalT'] {
  const code = sourceFiles.filter(({ path }) => !isTest(path))
  const has = (pattern: RegExp): boolean => code.some(({ text }) => pattern.test(text))
  const isUsed = has(/\.use\(/) && !has(/\$t\s*[=:]|globalInjection\s*:\s*false/)
  const isVue = has(/\bcreateI18n\b[^;]*?from\s*['"](?:petite-)?vue-i18n\b/)
  const isI18next = has(/from\s*['"]i18next-vue['"]/)
  if (!isUsed || isVue === isI18next) return undefined
  return isVue ? vuePackage : 'i18next'
}

/** Returns the names by which code reads members of an instance, of a component or a mixin. */
const memberNamesIn = (sourceFiles: readonly SourceFile[]): ReadonlySet<string> =>
  new Set(
    sourceFiles.flatMap(({ text }) =>
      [...text.matchAll(/\bthis\.(\w+)/g)].map(([, name]) => name!),
    ),
  )

const skippedCall = ({ path, reference, read }: ResolvedReference, reason: string): SkippedCall =>
  skippedNode(path, read, reference.node, reason)

function skippedNode(
  path: string,
  { source }: ReadFile,
  node: ts.Node,
  reason: string,
): SkippedCall {
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source))
  const code = node.getText(source).replaceAll(/\s+/g, ' ').slice(0, 80)
  return { file: path, line: line + 1, column: character + 1, code, reason }
}

/** Returns an element `<i18n-t>` whose key is computed. */
function skippedElement(path: string, text: string, { start, end }: Range): SkippedCall {
  const before = text.slice(0, start).split('\n')
  const code = text.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 80)
  const reason = 'the key is known only at run time'
  return { file: path, line: before.length, column: before.at(-1)!.length + 1, code, reason }
}
