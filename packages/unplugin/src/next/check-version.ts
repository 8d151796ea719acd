import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ConfigError } from '@servicekit/client'

/** Oldest version with which `withUilm` is tested. */
const minimum = 16

/**
 * Checks the version of Next.js. The peer dependency is wider, so that the other entries of
 * this package install beside older versions.
 *
 * @param root Folder in which `next` is resolved.
 * @throws ConfigError for an older version.
 */
export function checkNextVersion(root: string): void {
  const version = readVersion(root)
  if (version === undefined || Number.parseInt(version, 10) >= minimum) return
  throw new ConfigError(`withUilm() requires Next.js ${minimum} (found ${version})`, {
    help: `Run "npm install next@${minimum}".`,
  })
}

function readVersion(root: string): string | undefined {
  try {
    const manifest = createRequire(join(root, 'package.json'))('next/package.json') as {
      readonly version: string
    }
    return manifest.version
  } catch {
    return undefined
  }
}
