import { mkdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isLoopbackUrl, parseUrl } from '@servicekit/core'
import { readIfExistsSync, writeFileAtomic } from '@servicekit/core/node'

/** Port of the local platform, unless another program uses it. */
export const localPlatformPort = 4600

/** Default address of the local platform. */
export const localPlatformUrl = `http://127.0.0.1:${localPlatformPort}`

/** Returns whether a URL is the default address of the local platform. */
export const isLocalPlatformUrl = (url: string): boolean =>
  isLoopbackUrl(url) && parseUrl(url)?.port === String(localPlatformPort)

/** Running local platform of a folder. */
interface Announced {
  readonly baseUrl: string
  readonly pid: number
}

const fileIn = (folder: string): string => join(folder, '.servicekit', 'dev.json')

function readAnnounced(folder: string): Announced | undefined {
  try {
    const text = readIfExistsSync(fileIn(folder))
    return text && (JSON.parse(String(text)) as Announced)
  } catch {
    return undefined
  }
}

/**
 * Writes the address of the local platform that runs in a folder, for the commands and plugins of
 * this folder and those below it.
 *
 * @returns a function that removes it.
 */
export async function announceLocalPlatform(
  folder: string,
  baseUrl: string,
): Promise<() => Promise<void>> {
  const file = fileIn(folder)
  await mkdir(dirname(file), { recursive: true })
  await writeFileAtomic(file, `${JSON.stringify({ baseUrl, pid: process.pid })}\n`)
  return async () => {
    // Another one may have started here since.
    if (readAnnounced(folder)?.pid !== process.pid) return
    await rm(file, { force: true })
    // The folder stays if it has other files.
    await rmdir(dirname(file)).catch(() => {})
  }
}

/** Returns the address of the local platform that runs in a folder, or in the closest one above it. */
export function findLocalPlatform(folder: string): string | undefined {
  const found = readAnnounced(folder)
  // The file is in the working tree: an address of another machine could be that of a stranger.
  if (found && isLoopbackUrl(found.baseUrl) && isRunning(found.pid)) return found.baseUrl
  const parent = dirname(resolve(folder))
  return parent === resolve(folder) ? undefined : findLocalPlatform(parent)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
