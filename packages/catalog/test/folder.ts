import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is gone when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-catalog-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Every file below a folder, by its path with `/`. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

/** What is in every file below a folder. */
export async function bytesIn(folder: string): Promise<Record<string, string>> {
  const files = await filesIn(folder)
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file, await readFile(join(folder, file), 'latin1')]),
    ),
  ) as Record<string, string>
}

/** What changes when a file is written, be it with the same bytes. */
export async function stampsIn(folder: string): Promise<Record<string, string>> {
  const files = await filesIn(folder)
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => {
        const { ino, mtimeMs } = await stat(join(folder, file))
        return [file, `${ino} ${mtimeMs}`]
      }),
    ),
  ) as Record<string, string>
}

/** Lines that differ between two states of a folder, either way, each once. */
export function changedLines(
  before: Record<string, string>,
  after: Record<string, string>,
): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((file) => {
    const was = new Set((before[file] ?? '').split('\n'))
    return (after[file] ?? '').split('\n').filter((line) => !was.has(line))
  })
}
