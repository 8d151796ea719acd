import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { escapeOutput, parseJson, reasonOf } from '@servicekit/core'
import { linkOut, readIfExistsSync, temporaryNameOf } from '@servicekit/core/node'
import { type EmittedFile, isGenerated } from './emit/file.ts'
import { labelsName } from './emit/labels.ts'
import { CodegenError } from './errors.ts'
import { hashText, type Lock, lockName, parseLock, printLock } from './lockfile.ts'
import type { NormalListing } from './normalise.ts'

export interface WriteOptions {
  /** Lock of the existing files, if it was read before. */
  readonly lock?: Lock
  /** Writes nothing and reports what would change. */
  readonly check?: boolean
  /** Allows any number of modules to be removed. */
  readonly prune?: boolean
  /** Listing that the files were generated from, for the lock. */
  readonly listing?: NormalListing
  /** Stores the order of the schemas in the lock. */
  readonly isOrdered?: boolean
}

const noListing: NormalListing = { schemas: [], problems: [] }

export interface WriteReport {
  /** Number of files of the output, including the lock. */
  readonly files: number
  /** Size of the generated code in bytes. */
  readonly bytes: number
  /** Files that were written, or would be written with `check`. */
  readonly written: readonly string[]
  readonly unchanged: number
  /** Files of removed schemas that were deleted, or would be deleted with `check`. */
  readonly removed: readonly string[]
  /** Files of removed schemas that were kept because they were edited. */
  readonly kept: readonly string[]
}

/**
 * Updates a folder to contain exactly `files` and their lock. Only files that differ are
 * written: all of them to temporary files first, then these are renamed. A full disk thus
 * changes nothing, and a kill leaves every file either old or new, never partial. Files that
 * were not generated are never touched.
 *
 * Synchronous and sequential on purpose: a thousand small files take a third of the time
 * and no memory.
 *
 * @throws CodegenError OUTPUT_FOREIGN if a file of that name was not generated,
 * OUTPUT_FAILED, REMOVAL_REFUSED if more than a few modules would be removed without
 * `prune`
 */
export function writeFiles(
  outDir: string,
  files: Iterable<EmittedFile>,
  { lock, check = false, prune = false, listing = noListing, isOrdered = false }: WriteOptions = {},
): WriteReport {
  const after = new Map<string, string>()
  const written: string[] = []
  let bytes = 0
  const temporaryFiles = new Map<string, string>()
  let present: ReadonlySet<string>
  refuseLink(outDir)
  try {
    present = namesIn(outDir)
    const before = lock ?? readLock(outDir)
    for (const { name, text } of files) {
      // Names and descriptions of the listing are in strings and comments.
      const file = { name, text: escapeOutput(text) }
      // Encoded once, for both the hash and the disk.
      const content = Buffer.from(file.text)
      after.set(file.name, hashText(content))
      bytes += content.length
      visit(file, content)
    }
    const locked = { name: lockName, text: escapeOutput(printLock(after, listing, isOrdered)) }
    visit(locked, Buffer.from(locked.text))
    const { removed, kept } = findOrphans(outDir, before, after)
    if (!check && !prune) refuseManyRemovals(outDir, removed)
    for (const [temporary, file] of temporaryFiles) renameSync(temporary, file)
    if (!check) for (const name of removed) rmSync(join(outDir, name), { force: true })
    const unchanged = after.size + 1 - written.length
    return { files: after.size + 1, bytes, written, unchanged, removed, kept }
  } catch (cause) {
    if (cause instanceof CodegenError) throw cause
    throw new CodegenError(`Cannot write the generated files to ${outDir}`, {
      code: 'OUTPUT_FAILED',
      details: { reason: reasonOf(cause) },
      help: 'Check that the folder is writable and the disk is not full.',
      cause,
    })
  } finally {
    for (const temporary of temporaryFiles.keys()) rmSync(temporary, { force: true })
  }

  function visit({ name, text }: EmittedFile, content: Uint8Array): void {
    const old = present.has(name.toLowerCase()) ? read(join(outDir, name)) : undefined
    if (old !== undefined) {
      refuseForeign(join(outDir, name), old)
      if (isSame(name, old, text)) return
    }
    written.push(name)
    if (check) return
    if (temporaryFiles.size === 0) mkdirSync(outDir, { recursive: true })
    const file = join(outDir, name)
    const temporary = temporaryNameOf(file)
    temporaryFiles.set(temporary, file)
    writeFileSync(temporary, content)
  }
}

/** Refuses a folder that a link leads out of the working directory: its files belong to others. */
function refuseLink(outDir: string): void {
  const link = linkOut(resolve('.'), resolve(outDir))
  if (link === undefined) return
  throw new CodegenError(`${link} is a link out of ${resolve('.')}`, {
    code: 'OUTPUT_FAILED',
    details: { outDir },
    help: 'Remove the link, or set outDir to the folder that it leads to.',
  })
}

/**
 * Returns the names in a folder, in lower case because some file systems ignore it. To read a file
 * that does not exist takes half as long as to write it.
 */
const namesIn = (folder: string): ReadonlySet<string> =>
  new Set(existsSync(folder) ? readdirSync(folder).map((name) => name.toLowerCase()) : [])

/**
 * Returns whether a file has the same content, apart from Windows line endings, and the white space
 * of JSON.
 */
function isSame(name: string, old: string, text: string): boolean {
  if (old === text || old.replaceAll('\r\n', '\n') === text) return true
  if (!name.endsWith('.json')) return false
  const value = parseJson(old)
  return value !== undefined && JSON.stringify(value) === JSON.stringify(parseJson(text))
}

/** Returns the files in the lock that no schema needs. Edited files are kept. */
function findOrphans(
  outDir: string,
  before: Lock,
  after: ReadonlyMap<string, string>,
): Pick<WriteReport, 'removed' | 'kept'> {
  const removed: string[] = []
  const kept: string[] = []
  for (const [name, hash] of before.files) {
    const old = after.has(name) ? undefined : read(join(outDir, name))
    if (old === undefined) continue
    // The lock may come from somebody else, and name a file that was written by hand.
    const isOurs = isGenerated(old) || name === labelsName
    const isUnchanged = hashText(old.replaceAll('\r\n', '\n')) === hash
    ;(isOurs && isUnchanged ? removed : kept).push(name)
  }
  return { removed, kept }
}

/** Maximum number of modules removed without `prune`. */
const mostRemovals = 3

function refuseManyRemovals(outDir: string, files: readonly string[]): void {
  const modules = [...new Set(files.map((file) => file.replace(/\..*$/, '')))]
  if (modules.length <= mostRemovals) return
  const shown = modules.slice(0, 5).join(', ')
  throw new CodegenError(`Refused to remove ${modules.length} modules`, {
    code: 'REMOVAL_REFUSED',
    details: {
      folder: outDir,
      count: modules.length,
      modules: modules.length > 5 ? `${shown}, …` : shown,
    },
    help: 'Their schemas are no longer in the listing. Nothing was changed. To remove them, run with --prune (prune: true).',
  })
}

function refuseForeign(file: string, text: string): void {
  // JSON has no comments.
  if (isGenerated(text) || [lockName, labelsName].includes(basename(file))) return
  throw new CodegenError(`Cannot overwrite ${file}`, {
    code: 'OUTPUT_FOREIGN',
    details: { reason: 'The file was not generated by this package' },
    help: 'Choose another outDir, or move the file.',
  })
}

/** Reads the lock of a folder. */
export const readLock = (outDir: string): Lock => parseLock(read(join(outDir, lockName)))

/**
 * Reads a file; undefined if it does not exist, or was removed by a concurrent run.
 * Removes the byte order mark that editors on Windows add.
 */
function read(file: string): string | undefined {
  return readIfExistsSync(file)
    ?.toString('utf8')
    .replace(/^\uFEFF/, '')
}
