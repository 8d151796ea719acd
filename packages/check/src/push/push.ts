import { ConfigError } from '@servicekit/client'
import {
  addKeys,
  type KeyConflict,
  type KeyDraft,
  type KeyId,
  type KeyWriter,
  keyId,
  loadForEdit,
  type Model,
  openWriter,
  type Project,
} from '@servicekit/catalog'
import { readSources, type Sources } from '../usage/read-sources.ts'
import {
  readUsage,
  type UnknownUsage,
  type UnreadSource,
  type UsageReport,
} from '../usage/usage.ts'
import { draftsOf, type ListedKeys, pendingDrafts } from './drafts.ts'
import { type KeptKey, unusedKeys } from './unused-keys.ts'
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
  /** Confirms the removal of keys; without it, they are removed. */
  readonly confirmPrune?: (keys: readonly KeyDraft[], kept: readonly KeptKey[]) => Promise<boolean>
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
  readonly pruned: readonly KeyDraft[]
  /** Keys that no code is known to use, and that `prune` keeps because a file has their name. */
  readonly kept: readonly KeptKey[]
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
 * @throws ConfigError without a target, for an invalid text, or with `prune` if some code cannot
 * be read.
 * @throws ServicekitError SNAPSHOT_MISSING; RequestError if the target cannot be reached.
 */
export async function push(options: PushOptions): Promise<PushReport> {
  const { project, signal = new AbortController().signal } = options
  const writer = options.writer ?? openWriter(project.options)
  const model = await loadForEdit(project)
  const sources = readSources(project.options, options.sources, options.aliases)
  const usage = readUsage(model, sources, options)
  if (options.prune && usage.unread.length > 0) throw unreadError(usage.unread)
  const { wanted, unresolved } = wantedKeys(usage.unknown, sources.files)
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
  const { pruned, kept } = await selectPruned(
    { ...options, writer },
    { model, usage, sources, listed },
  )
  const report = await addKeys(project, drafts, {
    writer,
    dryRun,
    newModules: createModules,
    signal,
  })
  if (pruned.length > 0 && !dryRun) {
    await writer.remove!(pruned.map(idOf), call)
    if (project.folder) await project.writeTypes(await project.load())
  }
  return { ...report, missing, newModules, unresolved, pruned, kept }
}

/** Returns the keys to remove, after their removal was confirmed, and those that are kept. */
async function selectPruned(
  { project, prune, dryRun, confirmPrune, writer }: PushOptions & { readonly writer: KeyWriter },
  code: {
    readonly model: Model
    readonly usage: UsageReport
    readonly sources: Sources
    readonly listed: ListedKeys
  },
): Promise<{ readonly pruned: readonly KeyDraft[]; readonly kept: readonly KeptKey[] }> {
  if (!prune) return { pruned: [], kept: [] }
  const { model, usage, sources, listed } = code
  const unused = unusedKeys(model, usage, project.options, sources)
  const kept = unused.kept.filter((one) => listed.has(keyId(one)))
  const pruned = unused.keys.flatMap((one) => listed.get(keyId(one)) ?? [])
  if (pruned.length === 0 || dryRun) return { pruned, kept }
  if (!writer.remove) {
    throw new ConfigError(`Keys cannot be removed through ${writer.name}`, {
      help: 'Remove them there, and run the command without --prune.',
    })
  }
  const isConfirmed = (await confirmPrune?.(pruned, kept)) !== false
  return { pruned: isConfirmed ? pruned : [], kept }
}

const idOf = ({ module, key }: KeyId): KeyId => ({ module, key })

/** Maximum number of files that an error names. */
const mostNamed = 10

function unreadError(unread: readonly UnreadSource[]): ConfigError {
  const lines = unread
    .slice(0, mostNamed)
    .map(({ file, line, column, reason }) => `${file}:${line}:${column}: ${reason}`)
  const more = unread.length > mostNamed ? [`and ${unread.length - mostNamed} more`] : []
  return new ConfigError('Cannot prune, because not all of the code can be read', {
    help: [
      ...lines,
      ...more,
      'Unread code may use any key. Correct the code, run `servicekit compile` if an import leads to its files, name other prefixes in check.aliases, or restrict --sources. Then run the command again.',
    ].join('\n'),
  })
}
