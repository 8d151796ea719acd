import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, sep } from 'node:path'

/** Returns whether a path is a folder or below it. Both are absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Returns a path without links; undefined if it does not exist. */
export function realPathIfExists(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined
    throw error
  }
}

/**
 * Returns the link that leads from a folder out of `root`: the folder itself, or one above it. Returns
 * undefined if there is none, and for a folder outside of `root`, which somebody has configured.
 */
export function linkOut(root: string, folder: string): string | undefined {
  let path = folder
  // A folder that does not exist is created in the nearest one that does.
  while (path !== root && isInside(root, path)) {
    const real = realPathIfExists(path)
    if (real !== undefined) {
      return isInside(realPathIfExists(root) ?? root, real) ? undefined : path
    }
    path = dirname(path)
  }
  return undefined
}
