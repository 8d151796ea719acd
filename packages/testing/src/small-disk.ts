import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
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

/** Space in bytes for tables of PostgreSQL, but not for the next megabyte of its log. */
const freeBytes = 950_000

/** Fills a disk almost. @returns a function that frees the space. */
export function fillDisk(folder: string): () => void {
  const { bavail, bsize } = statfsSync(folder)
  const ballast = join(folder, 'ballast')
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - freeBytes))
  return () => rmSync(ballast)
}
