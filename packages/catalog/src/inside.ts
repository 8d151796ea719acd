import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { ServicekitError } from '@servicekit/client'

/**
 * Returns the path of a file or folder without links; undefined if it does not exist.
 *
 * @throws ServicekitError READ_FAILED if a link leads out of the folder. The files of a project may
 * come from somebody else, who must not choose what is read or written beyond them.
 */
export function pathInside(folder: string, path: string): string | undefined {
  const real = realPath(path)
  if (real === undefined || isInside(realPath(folder) ?? folder, real)) return real
  throw new ServicekitError(`${path} is a link out of ${folder}`, {
    code: 'READ_FAILED',
    details: { file: path, folder },
    help: 'Remove the link, or copy what it leads to.',
  })
}

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

/** Returns whether a path is a folder or below it. */
function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined
    throw readError(path, error)
  }
}
