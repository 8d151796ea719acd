import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { projectError } from './parse-project.ts'

/**
 * Returns the real path of a file or folder below a project's folder; undefined if there is none.
 * A symbolic link must not lead out of the folder: whoever wrote it would have a file of this
 * machine published.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export async function projectPath(
  folder: string,
  ...steps: readonly string[]
): Promise<string | undefined> {
  const path = join(folder, ...steps)
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(path)])
    if (real.startsWith(root.endsWith(sep) ? root : root + sep)) return real
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw projectError(path, '', `the file cannot be read (${message})`)
  }
  throw projectError(path, '', 'a symbolic link leads out of the folder; replace it by a copy')
}

/**
 * Returns the real path of a file below a project's folder, as {@link projectPath} does. Others,
 * such as a named pipe, which never ends, are refused.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export async function projectFilePath(
  folder: string,
  ...steps: readonly string[]
): Promise<string | undefined> {
  const path = await projectPath(folder, ...steps)
  if (path === undefined || (await stat(path)).isFile()) return path
  throw projectError(path, '', 'it must be a file')
}

/** Name of a file in the folder `files` that every file system accepts and that is no path. */
const safeName = /^[\w-][\w.-]*$/

/**
 * Returns the path of the bytes of an uploaded file in the folder `files` of a project. The
 * `system_name` comes from the project and is checked.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export async function uploadPath(filesFolder: string, systemName: unknown): Promise<string> {
  const name = checkSystemName(systemName)
  const path = await projectFilePath(filesFolder, name)
  if (path !== undefined) return path
  throw projectError(join(filesFolder, name), '', 'the file does not exist')
}

/** Returns the name if it is safe in a folder. @throws PlatformError `PROJECT_INVALID` */
export function checkSystemName(name: unknown): string {
  if (typeof name === 'string' && safeName.test(name)) return name
  throw projectError('rows.stored_files', 'system_name', 'must be a file name')
}
