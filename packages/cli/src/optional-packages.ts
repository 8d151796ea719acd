import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ServicekitError } from '@servicekit/client'
import manifest from '../package.json' with { type: 'json' }

/** Loads `@servicekit/check`, which reads code with the TypeScript parser. */
export const loadCheck = () => loadOptional('@servicekit/check', () => import('@servicekit/check'))

/** Loads `@servicekit/platform`, which reads and writes project folders. */
export const loadPlatform = () =>
  loadOptional('@servicekit/platform', () => import('@servicekit/platform'))

/** Loads the server of `@servicekit/platform`. */
export const loadPlatformServer = () =>
  loadOptional('@servicekit/platform/node', () => import('@servicekit/platform/node'))

/** Loads `@servicekit/server`, which runs the platform for a team. */
export const loadServer = () =>
  loadOptional('@servicekit/server', () => import('@servicekit/server'))

/**
 * Loads an entry of an optional peer dependency: next to this package, or in the working
 * directory when this package runs from elsewhere, as with npx.
 *
 * @throws ServicekitError PACKAGE_MISSING if it is not installed.
 */
async function loadOptional<T>(specifier: string, load: () => Promise<T>): Promise<T> {
  const name = specifier.split('/', 2).join('/')
  try {
    return await load()
  } catch (error) {
    if (!isNotFound(error, name)) throw error
  }
  try {
    const path = createRequire(join(process.cwd(), 'package.json')).resolve(specifier)
    return (await import(pathToFileURL(path).href)) as T
  } catch (cause) {
    if (!isNotFound(cause, name)) throw cause
    throw new ServicekitError(`This command requires the package ${name}`, {
      code: 'PACKAGE_MISSING',
      details: { package: `${name}@${manifest.version}` },
      cause,
    })
  }
}

const isNotFound = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(error.code)) &&
  error.message.includes(name)
