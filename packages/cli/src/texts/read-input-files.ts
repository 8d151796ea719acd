import { ConfigError } from '@servicekit/client'
import { readableExtensions, type InputFile } from '@servicekit/formats'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'

const isReadable = (path: string): boolean =>
  (readableExtensions as readonly string[]).includes(extname(path).slice(1).toLowerCase())

/**
 * Reads files, and the translation files of folders.
 *
 * @throws ConfigError for a file that does not exist, or a folder without translation files.
 */
export async function readInputFiles(paths: readonly string[]): Promise<readonly InputFile[]> {
  const files = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(path).catch((cause: unknown) => {
        throw new ConfigError(`Cannot read ${path}`, { cause, help: 'Check the path.' })
      })
      return found.isDirectory() ? filesBelow(path) : [path]
    }),
  )
  return Promise.all(
    files
      .flat()
      .map(async (path) => ({ path: path.replaceAll('\\', '/'), bytes: await readFile(path) })),
  )
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && isReadable(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/]node_modules[\\/]/.test(path))
    .sort()
  if (paths.length > 0) return paths
  throw new ConfigError(`${folder} contains no translation file`, {
    help: `Known extensions: ${readableExtensions.join(', ')}.`,
  })
}
