import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { type Project, rejectLinkedFolders, writeIfChanged } from '@servicekit/catalog'

/**
 * Returns the file that changes whenever the messages of a folder do, for bundlers that watch files:
 * they cannot watch files that do not exist yet.
 */
export const folderStamp = ({ options }: Pick<Project, 'options'>): string =>
  join(options.outDir, 'cache', 'folder.txt')

/** Writes the file of {@link folderStamp}. */
export async function writeFolderStamp(project: Project, hash: string): Promise<void> {
  const file = folderStamp(project)
  rejectLinkedFolders(project.options.root, [dirname(file)])
  await writeIfChanged(file, `${hash}\n`)
}

/** Changes the file of {@link folderStamp}, so that a bundler that watches it builds again. */
export const changeFolderStamp = (project: Project): Promise<void> =>
  writeFolderStamp(project, randomUUID())
