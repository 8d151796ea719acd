import { type BigIntStats, readFileSync, type Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { detectUtf16 } from '../utf16.ts'
import { statIfExists } from './stat-if-exists.ts'

/**
 * Reads a file; returns undefined if it does not exist.
 *
 * @throws Error for a named pipe or a device, whose content may never end.
 */
export async function readIfExists(file: string): Promise<Buffer | undefined> {
  try {
    refuseEndless(file, await stat(file))
    return await readFile(file)
  } catch (error) {
    return undefinedIfMissing(error)
  }
}

/** Reads a file as UTF-8, or as UTF-16 if it is; returns undefined if it does not exist. */
export async function readTextIfExists(file: string): Promise<string | undefined> {
  const bytes = await readIfExists(file)
  return bytes && decode(bytes)
}

/** Synchronous version of {@link readIfExists}. */
export function readIfExistsSync(file: string): Buffer | undefined {
  const stats = statIfExists(file)
  if (!stats) return undefined
  refuseEndless(file, stats)
  try {
    return readFileSync(file)
  } catch (error) {
    return undefinedIfMissing(error)
  }
}

/** Synchronous version of {@link readTextIfExists}. */
export function readTextIfExistsSync(file: string): string | undefined {
  const bytes = readIfExistsSync(file)
  return bytes && decode(bytes)
}

function refuseEndless(file: string, stats: Stats | BigIntStats): void {
  // Reading a folder fails by itself.
  if (stats.isFile() || stats.isDirectory()) return
  throw new Error(`${file} is a named pipe or a device, not a file`)
}

/** Decodes a text like TypeScript and editors, which read UTF-16, without its byte order mark. */
const decode = (bytes: Buffer): string =>
  new TextDecoder(detectUtf16(bytes) ?? 'utf-8').decode(bytes)

function undefinedIfMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  // A path below a file does not exist either.
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}
