import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readText, rejectLinkedFolders } from '@servicekit/catalog'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'

/** New content of a file of the application. */
export interface FileEdit {
  /** Path relative to the folder of the application, with `/`. */
  readonly path: string
  /** Previous content; undefined for a new file. */
  readonly before: string | undefined
  readonly after: string
}

/** Change that the user makes by hand, because the file was not understood. */
export interface ManualEdit {
  readonly path: string
  readonly reason: string
  readonly lines: readonly string[]
  /** `true` if the application does not work without the change, `false` if another file may have it. */
  readonly isCertain?: boolean
}

/** Result of planning a change to one file. */
export type Planned = FileEdit | ManualEdit | undefined

export const isManual = (edit: FileEdit | ManualEdit): edit is ManualEdit => 'reason' in edit

/** Returns an edit that replaces the content of a file; undefined if nothing changes. */
export const replaceText = (
  path: string,
  before: string | undefined,
  after: string,
): FileEdit | undefined => (before === after ? undefined : { path, before, after })

/** Reads a file of the application. @throws ServicekitError READ_FAILED if it is not UTF-8. */
export const readIn = (root: string, path: string): Promise<string | undefined> =>
  readText(join(root, path))

/** Formats an edit as a unified diff. */
export const formatEdit = ({ path, before, after }: FileEdit): string =>
  createTwoFilesPatch(
    before === undefined ? '/dev/null' : path,
    path,
    before ?? '',
    after,
    undefined,
    undefined,
    { context: 2, headerOptions: FILE_HEADERS_ONLY },
  )

/** Formats the lines that the user adds by hand. */
export const formatManual = ({ path, reason, lines }: ManualEdit): string =>
  [`${path}: ${reason}. Add by hand:`, '', ...lines.map((line) => `    ${line}`), ''].join('\n')

/**
 * Writes edits, and undoes all of them if one fails.
 *
 * @param boundary Folder that no link may lead out of: that of the repository.
 * @throws ServicekitError READ_FAILED for a link out of it, before anything is written.
 */
export async function writeEdits(
  root: string,
  edits: readonly FileEdit[],
  boundary = root,
): Promise<void> {
  rejectLinkedFolders(
    boundary,
    edits.map(({ path }) => join(root, path)),
  )
  const written: FileEdit[] = []
  try {
    for (const edit of edits) {
      written.push(edit)
      const file = join(root, edit.path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, edit.after)
    }
  } catch (error) {
    await undoEdits(root, written)
    throw error
  }
}

/** Restores the previous content of files. */
export async function undoEdits(root: string, edits: readonly FileEdit[]): Promise<void> {
  for (const { path, before } of edits.toReversed()) {
    const file = join(root, path)
    if (before === undefined) await rm(file, { force: true })
    else await writeFile(file, before)
  }
}
