import { realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  identifierOf,
  type KeyRename,
  type KeyWriter,
  keyId,
  loadForEdit,
  type Model,
  openWriter,
  type Project,
  readText,
  renameLocally,
  replaceFiles,
  writeIfChanged,
} from '@servicekit/catalog'
import { ConfigError, RequestError } from '@servicekit/client'
import { isObject, nameProblem, parseJson, unknownName } from '@servicekit/core'
import { keysOfMessage } from '../usage/keys-of-message.ts'
import { type RenamedFile, renameInCode, type UnrenamedUse } from './rename-in-code.ts'

export interface RenameOptions {
  readonly project: Project
  readonly module: string
  readonly from: string
  readonly to: string
  /** Target of new keys; by default that of the project's options. */
  readonly writer?: KeyWriter
  /** Source folders relative to the root; `['.']` by default. */
  readonly sources?: readonly string[]
  /** Import prefixes and their folders, as for `check`. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Names of functions that return `t` or an object containing it, as for `check`. */
  readonly hooks?: readonly string[]
  /** Renames even if some uses cannot be renamed; false by default. */
  readonly force?: boolean
  /** Reports the changes without writing; false by default. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

export interface RenameReport {
  /** Name of the target. */
  readonly target: string
  /** Renamed keys: several for the forms of a plural. */
  readonly keys: readonly KeyRename[]
  readonly files: readonly RenamedFile[]
  /** Uses that must be renamed by hand. Without `force`, nothing is written if there are any. */
  readonly unrenamed: readonly UnrenamedUse[]
  /** `true` if the changes were written. */
  readonly written: boolean
}

/**
 * Renames a key in the target of new keys, in the code, and in the snapshot with its types. If it
 * is interrupted, running it again completes it.
 *
 * @throws ConfigError if the key does not exist, the new one does, or another rename was
 * interrupted.
 * @throws ServicekitError SNAPSHOT_MISSING, EMIT_FAILED; RequestError
 */
export async function rename(options: RenameOptions): Promise<RenameReport> {
  const { project, module, from, to, force = false, dryRun = false } = options
  const { signal = new AbortController().signal } = options
  const writer = options.writer ?? openWriter(project.options)
  const journal = join(project.options.outDir, 'rename.json')
  const resumed = await readJournal(journal, { module, from, to })
  const model = await loadForEdit(project)
  const call = { language: model.catalog.defaultLanguage, signal }
  const keys = resumed ?? pairsOf(model, { module, from, to })
  const listed = new Set((await writer.list(call)).map(keyId))
  // An interrupted run may have written the new key, or a part of it.
  const taken = resumed ? undefined : keys.find(({ to }) => listed.has(keyId({ module, key: to })))
  if (taken) throw alreadyExists(module, taken.to, writer)
  const { files, unrenamed } = renameInCode(model, { module, from, to }, options)
  // Before anything is written: a file that is not UTF-8 would lose characters.
  for (const { file } of files) await readText(resolve(project.options.root, file))
  const report = { target: writer.name, keys, files, unrenamed }
  if (dryRun || (unrenamed.length > 0 && !force)) return { ...report, written: false }
  if (!writer.rename) {
    throw new ConfigError(`Keys cannot be renamed through ${writer.name}`, {
      help: 'Rename it there, then pull, and rename it in the code.',
    })
  }

  await writeIfChanged(journal, `${JSON.stringify({ module, from, to, keys })}\n`)
  const cancel = (): Promise<void> => (resumed ? Promise.resolve() : rm(journal, { force: true }))
  const isRenamed = await writer.rename(keys, call).catch(async (error: unknown) => {
    // The target refused, so that nothing has changed.
    if (error instanceof RequestError && error.code === 'REQUEST_REFUSED') await cancel()
    throw error
  })
  if (!isRenamed) {
    await cancel()
    throw alreadyExists(module, to, writer)
  }
  const { root } = project.options
  await replaceFiles(
    files.map(({ file, text, before }) => ({
      path: realpathSync(resolve(root, file)),
      text,
      from: before,
    })),
  )
  await renameLocally(project, keys)
  await rm(journal, { force: true })
  return { ...report, written: true }
}

const alreadyExists = (module: string, key: string, { name }: KeyWriter): ConfigError =>
  new ConfigError(`The key ${key} of ${module} already exists`, { details: { target: name } })

/**
 * Returns the keys of a rename: those of all forms for a plural.
 *
 * @throws ConfigError
 */
function pairsOf(model: Model, { module, from, to }: KeyRename): readonly KeyRename[] {
  const found = model.modules.find(({ name }) => name === module)
  if (!found) {
    const names = model.modules.map(({ name }) => name)
    throw new ConfigError(unknownName('module', module, names))
  }
  const names = found.messages.map(({ key }) => key)
  if (!names.includes(from)) throw new ConfigError(unknownName('key', from, names))
  const problem = nameProblem(to)
  if (problem) throw new ConfigError(`The key ${JSON.stringify(to)} ${problem}`)
  if (to === from) throw new ConfigError(`The new key must differ from ${from}`)
  const keys = keysOfMessage(model, { module, key: from })
  const renames = keys.map(({ key }) => ({ module, from: key, to: to + key.slice(from.length) }))
  const others = found.messages.filter(({ key }) => key !== from)
  const clash = others.find(({ key, name }) => key === to || name === identifierOf(to))
  if (clash) throw new ConfigError(`The key ${clash.key} of ${module} already exists`)
  return renames
}

/** Reads the keys of an interrupted rename. @throws ConfigError if it is another one. */
async function readJournal(
  file: string,
  wanted: KeyRename,
): Promise<readonly KeyRename[] | undefined> {
  const saved = parseJson((await readText(file)) ?? '')
  if (!isObject(saved) || !Array.isArray(saved['keys'])) return undefined
  const { module, from, to, keys } = saved
  if (module === wanted.module && from === wanted.from && to === wanted.to) {
    return keys as readonly KeyRename[]
  }
  throw new ConfigError('Another rename was interrupted', {
    details: { module, from, to } as Record<string, string>,
    help: `Complete it with \`servicekit rename ${String(module)} ${String(from)} ${String(to)}\`.`,
  })
}
