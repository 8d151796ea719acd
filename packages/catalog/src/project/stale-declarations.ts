import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { declarationsDir } from '../emit/declarations.ts'
import type { FileChange } from '../files/replace-files.ts'
import type { EmittedFile } from '../files/write.ts'

/**
 * Returns the removal of declarations that are no longer emitted: those of removed
 * modules, and those of versions that wrote `<outDir>/uilm.d.ts` and `<outDir>/uilm/`.
 *
 * @param emitted All current declarations.
 */
export async function staleDeclarations(
  outDir: string,
  emitted: readonly EmittedFile[],
): Promise<readonly FileChange[]> {
  const current = new Set(emitted.map(({ path }) => path))
  const found = [
    ...(await declarationsIn(declarationsDir({ outDir }))),
    ...(await declarationsIn(join(outDir, 'uilm'))),
    join(outDir, 'uilm.d.ts'),
  ]
  return found
    .filter((path) => !current.has(path))
    .sort((a, b) => b.length - a.length)
    .map((path) => ({ path, text: undefined, folder: outDir }))
}

async function declarationsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && /\.d\.ts(?:\.map)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}
