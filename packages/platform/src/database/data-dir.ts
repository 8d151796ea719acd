import { FolderLockedError, lockFolder } from '@servicekit/core/node'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PlatformError } from '../errors.ts'

/** Time to wait for another process, such as one that is just closing, in ms. */
const maxWaitMs = 1000

/** Major version of PostgreSQL in PGlite 0.5. */
const postgresMajor = '18'

/**
 * Locks a data folder. Data that was not completely filled is removed, and so is all data if it
 * `isReplaced`.
 *
 * @returns the path to start PGlite on; if it `isNew`, call `setFilled` once PGlite has filled it.
 * @throws PlatformError `DATABASE_FAILED` if it cannot be written, `DATABASE_IN_USE` if another
 * process uses it, `DATABASE_INCOMPATIBLE` if another major version of PostgreSQL wrote it.
 */
export async function openDataDir(folder: string, isReplaced = false) {
  const root = resolve(folder)
  const path = join(root, 'pgdata')
  /** Exists while the folder is filled. */
  const unfinished = join(root, 'unfinished')
  let release: (() => Promise<void>) | undefined
  try {
    await mkdir(root, { recursive: true })
    release = await lockFolder(root, maxWaitMs)
    if (isReplaced) await writeFile(unfinished, '')
    if (existsSync(unfinished)) await rm(path, { recursive: true, force: true })
    const isNew = !existsSync(join(path, 'PG_VERSION'))
    if (isNew) await writeFile(unfinished, '')
    else await checkVersion(root, path)
    return { path, isNew, setFilled: () => rm(unfinished, { force: true }), release }
  } catch (error) {
    await release?.()
    throw asPlatformError(root, error)
  }
}

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

function asPlatformError(root: string, error: unknown): unknown {
  if (error instanceof FolderLockedError) {
    return new PlatformError('DATABASE_IN_USE', 'Another process uses this data folder.', {
      details: { dataDir: root, process: error.process },
      help: 'End that process, or choose another folder.',
    })
  }
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (syscall === undefined) return error
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return new PlatformError('DATABASE_FAILED', 'Cannot write to the data folder.', {
    cause: error,
    details: { dataDir: root, reason: message },
    help: isFull
      ? 'Free space on the disk, or choose another folder.'
      : 'Choose a folder that this user can write to.',
  })
}
