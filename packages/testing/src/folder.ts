import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-catalog-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Returns the paths of all files below a folder, with `/` separators. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

/** Returns the content of all files below a folder. */
export async function bytesIn(folder: string): Promise<Record<string, string>> {
  const files = await filesIn(folder)
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file, await readFile(join(folder, file), 'latin1')]),
    ),
  ) as Record<string, string>
}

/** Returns values that change whenever a file is written, even with the same content. */
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

/** Returns the lines that differ between two states of a folder, without duplicates. */
export function changedLines(
  before: Record<string, string>,
  after: Record<string, string>,
): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((file) => {
    const was = new Set((before[file] ?? '').split('\n'))
    return (after[file] ?? '').split('\n').filter((line) => !was.has(line))
  })
}
