import { ConfigError } from '@servicekit/client'
import {
  addKeys,
  type KeyConflict,
  type KeyDraft,
  type KeyId,
  type KeyWriter,
  keyId,
  loadForEdit,
  openWriter,
  type Project,
} from '@servicekit/catalog'
import { readPathAliases } from '../usage/aliases.ts'
import { readSources } from '../usage/read-sources.ts'
import { readUsage, type UnknownUsage } from '../usage/usage.ts'
import { draftsOf, pendingDrafts } from './drafts.ts'
import { unusedKeys } from './unused-keys.ts'
import { type SourceTexts, type WantedKey, wantedKeys } from './wanted-keys.ts'

export interface PushOptions {
  readonly project: Project
  /** Target of new keys; by default that of the project's options. */
  readonly writer?: KeyWriter
  /** Source folders relative to the root; `['.']` by default. */
  readonly sources?: readonly string[]
  /** Import prefixes and their folders, as for `check`. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Names of functions that return `t` or an object containing it, as for `check`. */
  readonly hooks?: readonly string[]
  /** Source texts by module and key. They take precedence over those beside the uses. */
  readonly texts?: SourceTexts
  /** Asks for the source text of a key; undefined leaves it out. */
  readonly ask?: (key: WantedKey) => Promise<string | undefined>
  /** Also creates modules that do not exist; false by default. */
  readonly newModules?: boolean
  /** Removes the keys that no code uses; false by default. */
  readonly prune?: boolean
  /** Reports what would be written without writing; false by default. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

export interface PushReport {
  /** Name of the target. */
  readonly target: string
  /** Keys that were created, or would be with `dryRun`. */
  readonly added: readonly KeyDraft[]
  /** Keys that the target had already. */
  readonly existing: readonly KeyDraft[]
  /** Keys that exist with another text, which is not overwritten. */
  readonly conflicts: readonly KeyConflict[]
  /** Keys without a source text. */
  readonly missing: readonly WantedKey[]
  /** Keys of modules that do not exist. */
  readonly newModules: readonly WantedKey[]
  /** Uses of unknown keys whose module or key is not visible in the code. */
  readonly unresolved: readonly UnknownUsage[]
  /** Keys that were removed, or would be with `dryRun`. */
  readonly pruned: readonly KeyId[]
}

/**
 * Creates the keys that code uses and the target does not have. Texts are taken from `texts`, from a
 * comment beside a use, from the default value of `t`, or asked for. Never changes a key that
 * exists; a second run writes nothing.
 *
 * ```ts
 * const report = await push({ project: openProject({ root }) })
 * ```
 *
 * @throws ConfigError without a target, or for an invalid text.
 * @throws ServicekitError SNAPSHOT_MISSING; RequestError if the target cannot be reached.
 */
export async function push(options: PushOptions): Promise<PushReport> {
  const { project, sources = ['.'], signal = new AbortController().signal } = options
  const { root, outDir, snapshotDir } = project.options
  const writer = options.writer ?? openWriter(project.options)
  const model = await loadForEdit(project)
  const files = readSources(root, sources, [outDir, snapshotDir])
  const usage = readUsage(model, files, { ...options, paths: readPathAliases(root) })
  const { wanted, unresolved } = wantedKeys(usage.unknown, files)
  const call = { language: model.catalog.defaultLanguage, signal }
  const listed = new Map((await writer.list(call)).map((one) => [keyId(one), one]))
  const modules = new Set([
    ...model.catalog.modules.map(({ name }) => name),
    ...[...listed.values()].map(({ module }) => module),
  ])

  const drafts: KeyDraft[] = [...pendingDrafts(model, listed)]
  const missing: WantedKey[] = []
  const newModules: WantedKey[] = []
  for (const key of wanted) {
    const isNewModule = !modules.has(key.module)
    if (isNewModule && !options.newModules) {
      newModules.push(key)
      continue
    }
    const found = draftsOf(key, { texts: options.texts, listed })
    const text = found.length === 0 ? await options.ask?.(key) : undefined
    if (found.length > 0) drafts.push(...found)
    else if (text === undefined) missing.push(key)
    else drafts.push({ ...key, text })
  }
  const { dryRun = false, newModules: createModules = false } = options
  const report = await addKeys(project, drafts, {
    writer,
    dryRun,
    newModules: createModules,
    signal,
  })
  const pruned = options.prune ? unusedKeys(model, usage, project.options, files) : []
  const gone = pruned.filter((one) => listed.has(keyId(one)))
  if (gone.length > 0 && !dryRun) {
    if (!writer.remove) {
      throw new ConfigError(`Keys cannot be removed through ${writer.name}`, {
        help: 'Remove them there, and run the command without --prune.',
      })
    }
    await writer.remove(gone, call)
  }
  return { ...report, missing, newModules, unresolved, pruned: gone }
}
