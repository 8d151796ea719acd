import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Mcp from '@modelcontextprotocol/sdk/server/mcp.js'
import type * as Stdio from '@modelcontextprotocol/sdk/server/stdio.js'
import type * as Checker from '@servicekit/check'
import { ServicekitError } from '@servicekit/client'
import type * as Graphql from 'graphql'
import manifest from '../package.json' with { type: 'json' }

/** Loads `@servicekit/check`, which reads code with the TypeScript parser. */
export const loadCheck = () => loadOptional('@servicekit/check', () => import('@servicekit/check'))

/** Loads `@servicekit/platform`, which reads and writes project folders. */
export const loadPlatform = () =>
  loadOptional('@servicekit/platform', () => import('@servicekit/platform'))

/** Loads the server of `@servicekit/platform`. */
export const loadPlatformServer = () =>
  loadOptional('@servicekit/platform/node', () => import('@servicekit/platform/node'))

/** Loads the web console of `@servicekit/platform`. */
export const loadPlatformConsole = () =>
  loadOptional('@servicekit/platform/console', () => import('@servicekit/platform/console'))

/** Loads `@servicekit/server`, which runs the platform for a team. */
export const loadServer = () =>
  loadOptional('@servicekit/server', () => import('@servicekit/server'))

/** Packages of `servicekit mcp`. */
export interface McpPackages {
  readonly checker: typeof Checker
  readonly graphql: typeof Graphql
  readonly McpServer: typeof Mcp.McpServer
  readonly StdioServerTransport: typeof Stdio.StdioServerTransport
}

/**
 * Loads the packages of `servicekit mcp`.
 *
 * @throws ServicekitError PACKAGE_MISSING that names all that are not installed, because the
 *   programs that start this command show only its first error.
 */
export async function loadMcp(): Promise<McpPackages> {
  const sdk = '@modelcontextprotocol/sdk/server'
  const results = await Promise.allSettled([
    loadCheck(),
    loadOptional('graphql', () => import('graphql')),
    loadOptional(`${sdk}/mcp.js`, () => import('@modelcontextprotocol/sdk/server/mcp.js')),
    loadOptional(`${sdk}/stdio.js`, () => import('@modelcontextprotocol/sdk/server/stdio.js')),
  ])
  const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const other: unknown = failures.find((one) => missingPackage(one) === undefined)
  if (other !== undefined) throw other
  if (failures.length > 0) throw missingPackages([...new Set(failures.map(missingPackage))])
  const [checker, graphql, mcp, stdio] = results.map(
    (one) => (one as PromiseFulfilledResult<unknown>).value,
  ) as [typeof Checker, typeof Graphql, typeof Mcp, typeof Stdio]
  return {
    checker,
    graphql,
    McpServer: mcp.McpServer,
    StdioServerTransport: stdio.StdioServerTransport,
  }
}

const missingPackage = (error: unknown): string | undefined =>
  error instanceof ServicekitError && error.code === 'PACKAGE_MISSING'
    ? String(error.details['package'])
    : undefined

const missingPackages = (packages: readonly (string | undefined)[]): ServicekitError =>
  new ServicekitError(`This command requires the packages ${packages.join(', ')}`, {
    code: 'PACKAGE_MISSING',
    details: { package: packages.join(' ') },
  })

/**
 * Loads an entry of an optional peer dependency: next to this package, or in the working
 * directory when this package runs from elsewhere, as with npx.
 *
 * @throws ServicekitError PACKAGE_MISSING if it is not installed.
 */
async function loadOptional<T>(specifier: string, load: () => Promise<T>): Promise<T> {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
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
      details: { package: `${name}@${versionOf(name)}` },
      cause,
    })
  }
}

/** Version to install: our packages have the version of this one. */
const versionOf = (name: string): string =>
  name.startsWith('@servicekit/')
    ? manifest.version
    : (manifest.peerDependencies as Readonly<Record<string, string>>)[name]!

const isNotFound = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(error.code)) &&
  error.message.includes(name)
