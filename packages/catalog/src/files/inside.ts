import { dirname } from 'node:path'
import { ServicekitError } from '@servicekit/client'
import { isInside, linkOut, realPathIfExists } from '@servicekit/core/node'

/**
 * Returns the path of a file or folder without links; undefined if it does not exist.
 *
 * @throws ServicekitError READ_FAILED if a link leads out of the folder. The files of a project may
 * come from somebody else, who must not choose what is read or written beyond them.
 */
export function pathInside(folder: string, path: string): string | undefined {
  const real = realPath(path)
  if (real === undefined || isInside(realPath(folder) ?? folder, real)) return real
  throw linkError(folder, path, 'Remove the link, or copy what it leads to.')
}

/**
 * Throws if a folder to write to is a link out of the project, or below one: it may be part of a pull
 * request, and the files there belong to somebody else.
 *
 * @throws ServicekitError READ_FAILED
 */
export function rejectLinkedFolders(root: string, folders: readonly string[]): void {
  for (const folder of folders) {
    const link = linkOut(root, folder)
    if (link === undefined) continue
    throw linkError(root, link, 'Remove the link, or configure the folder that it leads to.')
  }
}

const linkError = (folder: string, file: string, help: string): ServicekitError =>
  new ServicekitError(`${file} is a link out of ${folder}`, {
    code: 'READ_FAILED',
    details: { file, folder },
    help,
  })

/** Returns the error for a file that exists and cannot be read. */
export const readError = (file: string, cause: unknown): ServicekitError =>
  new ServicekitError(`Cannot read ${file}`, {
    code: 'READ_FAILED',
    cause,
    details: { reason: cause instanceof Error ? cause.message : String(cause) },
    help: 'Check that it is a file in UTF-8 and that you have permission to read it.',
  })

/**
 * Creates a function that throws if a link would put a file outside of the folder that it belongs
 * to. Looks at each folder once.
 */
export function linkGuard(): (folder: string, file: string) => void {
  const known = new Set<string>()
  return (folder, file) => {
    let parent = dirname(file)
    const place = `${folder}\n${parent}`
    if (known.has(place)) return
    known.add(place)
    // A folder that does not exist is created in the nearest one that does.
    while (parent !== folder && isInside(folder, parent) && !pathInside(folder, parent)) {
      parent = dirname(parent)
    }
  }
}

function realPath(path: string): string | undefined {
  try {
    return realPathIfExists(path)
  } catch (error) {
    throw readError(path, error)
  }
}
