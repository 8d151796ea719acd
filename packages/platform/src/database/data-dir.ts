import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PlatformError } from '../errors.ts'
import { lockFolder } from './folder-lock.ts'
import { readTemplate, postgresMajor } from './template.ts'

/** Data folder held by this process alone. */
export interface DataDir {
  /** Folder to start PGlite on. */
  readonly path: string
  readonly release: () => Promise<void>
}

/**
 * Locks a data folder, and fills it from the template on first use. The data appears
 * completely or not at all, because it is written under another name and then renamed.
 *
 * @throws PlatformError `DATABASE_FAILED` if it cannot be written, `DATABASE_IN_USE` if
 * another process holds it, `DATABASE_INCOMPATIBLE` if another major version of
 * PostgreSQL wrote it.
 */
export async function openDataDir(folder: string): Promise<DataDir> {
  const root = resolve(folder)
  const release = await take(root)
  try {
    const path = join(root, 'pgdata')
    if (await isFile(join(path, 'PG_VERSION'))) await checkVersion(root, path)
    else await fill(root, path)
    return { path, release }
  } catch (error) {
    await release()
    throw unusable(root, error)
  }
}

async function take(root: string): Promise<() => Promise<void>> {
  try {
    await mkdir(root, { recursive: true })
    return await lockFolder(root)
  } catch (error) {
    throw unusable(root, error)
  }
}

/**
 * Converts a file system error, such as a full or read-only disk; returns other errors
 * unchanged.
 */
function unusable(root: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (syscall === undefined) return error
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return new PlatformError('DATABASE_FAILED', 'The data folder cannot be written.', {
    cause: error,
    details: { dataDir: root, reason: message },
    help: isFull
      ? 'Make room on the disk, or choose another folder.'
      : 'Choose a folder that this user may write.',
  })
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

async function checkVersion(root: string, path: string): Promise<void> {
  const found = (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim()
  if (found === postgresMajor) return
  throw new PlatformError(
    'DATABASE_INCOMPATIBLE',
    'The data folder was written by another major version of PostgreSQL.',
    {
      details: { dataDir: root, found, expected: postgresMajor },
      help: 'Start from an empty folder, or with the version that wrote this one.',
    },
  )
}

async function fill(root: string, path: string): Promise<void> {
  const unfinished = join(root, 'pgdata.unfinished')
  await rm(unfinished, { recursive: true, force: true })
  const files = await readTemplate()
  await mkdir(unfinished, { mode: 0o700 })
  for (const { path, body } of files) {
    if (!body) await mkdir(join(unfinished, path), { mode: 0o700 })
  }
  await Promise.all(
    files.map(({ path, body }) => body && writeFile(join(unfinished, path), body, { mode: 0o600 })),
  )
  await rm(path, { recursive: true, force: true })
  await rename(unfinished, path)
}
