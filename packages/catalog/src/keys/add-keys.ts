import { ServicekitError } from '@servicekit/client'
import { keysOf } from '../model/catalog.ts'
import type { Model } from '../model/model.ts'
import type { Project } from '../project/project.ts'
import {
  detailsOf,
  type KeyDraft,
  type KeyEntries,
  type KeyEntry,
  keyId,
  type KeyId,
} from '../model/key-draft.ts'
import {
  isPending,
  keyFileChange,
  keyFileOf,
  readKeyFile,
  withEntry,
} from '../snapshot/key-file.ts'
import type { KeyWriter, WriteCall } from '../config/key-writer.ts'
import { loadForEdit } from './load-for-edit.ts'
import { editLocalKeys, type LocalEdit, type LocalState } from './local-keys.ts'
import { localPathsOf } from '../snapshot/local-paths.ts'
import { openWriter } from './open-writer.ts'
import { replaceFiles } from '../files/replace-files.ts'
import { withFolderLock } from '../snapshot/with-folder-lock.ts'
import {
  rejectClashes,
  rejectInvalidDraft,
  rejectUnknownLanguage,
  rejectUnusableTexts,
} from './validate-drafts.ts'

/** Options for adding keys. */
export interface AddOptions {
  /** Target; by default that of the project's options. */
  readonly writer?: KeyWriter
  /** Language of the texts; the default language by default. */
  readonly language?: string
  /** Also creates modules; otherwise an unknown module is an error. */
  readonly newModules?: boolean
  /** Reports what would be written without writing; false by default. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

/** Key that exists with another text. It is not overwritten. */
export interface KeyConflict extends KeyDraft {
  /** Text that the target has. */
  readonly existing: string
}

/** Result of adding keys. */
export interface AddReport {
  /** Name of the target. */
  readonly target: string
  /** Keys that were created, or would be with `dryRun`. */
  readonly added: readonly KeyDraft[]
  /** Keys that existed with the same text. */
  readonly existing: readonly KeyDraft[]
  readonly conflicts: readonly KeyConflict[]
}

/** Attempts until all keys are created, if other processes create keys at the same time. */
const maxAttempts = 10

/**
 * Creates keys in the target of new keys, and adds them to the snapshot and its types. A key
 * that exists is not changed. Keys stay in the snapshot until the source serves them.
 *
 * @throws ConfigError for an invalid key or text, or without a target.
 * @throws ServicekitError SNAPSHOT_MISSING, SNAPSHOT_DRIFT, SNAPSHOT_INVALID before anything is
 * written; RequestError if the target cannot be reached.
 */
export async function addKeys(
  project: Project,
  drafts: readonly KeyDraft[],
  options: AddOptions = {},
): Promise<AddReport> {
  const { writer, language, dryRun = false, signal = new AbortController().signal } = options
  const model = await loadForEdit(project)
  const { defaultLanguage, modules } = model.catalog
  const moduleNames = modules.map(({ name }) => name)
  const target = writer ?? openWriter(project.options)
  const call: WriteCall = { language: language ?? defaultLanguage, signal }
  rejectUnknownLanguage(call.language, model)
  for (const draft of drafts) rejectInvalidDraft(draft, model.options.syntax)
  for (let attempt = 1; ; attempt++) {
    const listed = await target.list(call)
    const report = compare(drafts, listed, target.name)
    rejectUnusableTexts(report.added, call.language, model)
    rejectClashes(report.added, [...listed, ...knownIds(model)], { ...options, moduleNames })
    const isDone = dryRun || report.added.length === 0 || (await target.create(report.added, call))
    if (!isDone) {
      if (attempt < maxAttempts) continue
      throw new ServicekitError(`Cannot create keys in ${target.name}`, {
        code: 'OPERATION_FAILED',
        help: 'Other processes create keys at the same time. Try again.',
      })
    }
    if (!dryRun) await saveLocally(project, report, call.language)
    return report
  }
}

const knownIds = ({ catalog }: Model): readonly KeyId[] =>
  catalog.modules.flatMap((module) => keysOf(module).map((key) => ({ module: module.name, key })))

/** Sorts the drafts by whether the target has their keys. */
function compare(
  drafts: readonly KeyDraft[],
  listed: readonly KeyDraft[],
  target: string,
): AddReport {
  const known = new Map(listed.map((one) => [keyId(one), one]))
  const added = new Map<string, KeyDraft>()
  const existing = new Map<string, KeyDraft>()
  const conflicts: KeyConflict[] = []
  for (const { module, key, text, ...details } of drafts) {
    const id = keyId({ module, key })
    const draft = { module, key, text, ...detailsOf(details) }
    const found = known.get(id) ?? added.get(id)
    if (!found) added.set(id, draft)
    else if (found.text !== text) conflicts.push({ ...draft, existing: found.text })
    else if (known.has(id)) existing.set(id, { ...detailsOf(found), ...draft })
  }
  return { target, added: [...added.values()], existing: [...existing.values()], conflicts }
}

/** Adds the keys to the snapshot, unless it has them, and writes the types. */
async function saveLocally(
  project: Project,
  { added, existing }: AddReport,
  language: string,
): Promise<void> {
  const drafts = [...added, ...existing]
  if (drafts.length === 0) return
  if (project.folder) {
    if (project.options.writeTo !== undefined) await addPending(project, added, language)
    await project.writeTypes(await project.load())
    return
  }
  const edit = ({ lock, entries, read }: LocalState): LocalEdit => {
    let result: KeyEntries = entries
    for (const { module, key, text, ...details } of drafts) {
      const before = entries.get(module)?.get(key)
      const files = Object.keys(lock.languages).map((code) => read(code, module))
      const isServed = files.some((file) => file.has(key)) && !(before && isPending(before))
      const own = language === lock.defaultLanguage ? {} : { language }
      const pending: KeyEntry = isServed ? {} : { text, ...own }
      result = withEntry(result, module, key, { ...before, ...pending, ...detailsOf(details) })
    }
    return { entries: result }
  }
  const changed = await editLocalKeys(localPathsOf(project.options), edit)
  if (changed > 0) await project.writeTypes(await project.load())
}

/** Adds keys to the key file until the folder has them. */
async function addPending(
  { options }: Project,
  drafts: readonly KeyDraft[],
  language: string,
): Promise<void> {
  const file = keyFileOf(options.lockFile)
  await withFolderLock(localPathsOf(options).cacheDir, async () => {
    let entries = await readKeyFile(file)
    for (const { module, key, text, ...details } of drafts) {
      entries = withEntry(entries, module, key, { text, language, ...detailsOf(details) })
    }
    await replaceFiles([keyFileChange(file, entries)])
  })
}
