import { type Project, writeIfChanged } from '@servicekit/catalog'
import { resolve } from 'node:path'
import { readPathAliases } from '../usage/aliases.ts'
import { readSources, type SourceText } from '../usage/files.ts'
import { type Found, findUsages } from '../usage/usage.ts'
import { unifiedDiff } from './diff.ts'
import { applyEdits } from './edits.ts'
import { readArgumentTypes } from './argument-types.ts'
import type { Component } from './component.ts'
import { createComponentReader } from './component-reader.ts'
import { type ProvenCall, prove } from './provable.ts'
import { rewriteFile } from './rewrite-file.ts'

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
export interface LeftCall {
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
  readonly left: readonly LeftCall[]
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
  const { project, sources = ['.'], write = false } = options
  const { root, outDir, snapshotDir } = project.options
  const model = await project.load()
  const texts = readSources(root, sources, [outDir, snapshotDir])
  const found = findUsages(model, texts, { ...options, paths: readPathAliases(root) }).filter(
    ({ sighting }) => sighting.by === 'i18next',
  )
  const left: LeftCall[] = []
  const components = componentsOf(root, texts)
  const types = readArgumentTypes(root, [...new Set(found.map(({ path }) => path))])
  const surroundings = {
    types,
    hasGlobalT: hasGlobalT(texts),
    modulesWith: (key: string) =>
      model.modules
        .filter(({ messages }) => messages.some((one) => one.key === key))
        .map(({ name }) => name),
  }
  const proven = new Map<string, { readonly one: Found; readonly calls: ProvenCall[] }>()
  for (const one of found) {
    const result = prove(one, { ...surroundings, component: components.of(one.path) })
    if (typeof result === 'string') left.push(leftCall(one, result))
    else {
      const file = proven.get(one.path) ?? { one, calls: [] }
      file.calls.push(result)
      proven.set(one.path, file)
    }
  }
  const files: MigratedFile[] = []
  for (const { path, text } of texts) {
    const file = proven.get(path)
    if (!file) continue
    const component = components.of(path)
    const after = applyEdits(
      text,
      rewriteFile(file.one, file.calls, {
        component: typeof component === 'object' ? component : undefined,
        takesStringNames: types.takesStringNames(path),
      }),
    )
    const fault = components.faultOf(path, after)
    if (fault !== undefined) throw new TypeError(`${path} could not be read any more: ${fault}`)
    const diff = unifiedDiff(path, text, after)
    const migrated = { file: path, calls: file.calls.length, diff, text: after }
    files.push(migrated)
    yield migrated
  }
  let written = 0
  for (const { file, text } of write ? files : []) {
    if (await writeIfChanged(resolve(root, file), text)) written++
  }
  return { files, left, calls: files.reduce((sum, { calls }) => sum + calls, 0), written }
}

/** Reads components with the application's own compiler, each file once. */
function componentsOf(root: string, texts: readonly SourceText[]) {
  const reader = createComponentReader(root)
  const known = new Map<string, Component | string | undefined>()
  const isComponent = (path: string): boolean => /\.(?:vue|svelte)$/.test(path)
  return {
    of(path: string): Component | string | undefined {
      if (!isComponent(path)) return undefined
      if (!known.has(path)) {
        known.set(path, reader.read(path, texts.find((one) => one.path === path)!.text))
      }
      return known.get(path)
    },
    /** Returns the reason why a rewritten component cannot be parsed. */
    faultOf(path: string, text: string): string | undefined {
      const now = isComponent(path) ? reader.read(path, text) : undefined
      return typeof now === 'string' ? now : undefined
    },
  }
}

/** Returns whether `$t` in Vue templates is always that of i18next. */
const hasGlobalT = (texts: readonly SourceText[]): boolean =>
  texts.some(({ text }) => /from\s*['"]i18next-vue['"]/.test(text) && /\.use\(/.test(text)) &&
  !texts.some(({ text }) => /['"]vue-i18n['"]|\$t\s*[=:]/.test(text))

function leftCall({ path, sighting, read }: Found, reason: string): LeftCall {
  const { source } = read
  const { line, character } = source.getLineAndCharacterOfPosition(sighting.node.getStart(source))
  const code = sighting.node.getText(source).replaceAll(/\s+/g, ' ').slice(0, 80)
  return { file: path, line: line + 1, column: character + 1, code, reason }
}
