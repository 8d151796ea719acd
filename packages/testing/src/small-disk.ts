import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Mounts a file system of 128 MB for the current test, which only root can do.
 *
 * @returns its folder; undefined if file systems cannot be mounted.
 */
export function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'servicekit-full-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  return folder
}

/** Space that is left, in bytes: less than PostgreSQL needs for the next part of its log. */
const freeBytes = 950_000
/** Space for some pages of tables, in bytes. */
const pagesBytes = 64 * 1024

/**
 * Fills a disk so that the log of PostgreSQL cannot grow any more.
 *
 * @returns `makeRoom` frees what some pages of tables need, which may take the space before the log
 * needs it; `free` frees all of it.
 */
export function fillDisk(folder: string): { makeRoom: () => void; free: () => void } {
  const { bavail, bsize } = statfsSync(folder)
  const ballast = join(folder, 'ballast')
  let size = bavail * bsize - freeBytes
  writeFileSync(ballast, Buffer.alloc(size))
  return {
    makeRoom: () => truncateSync(ballast, (size -= pagesBytes)),
    free: () => rmSync(ballast),
  }
}
