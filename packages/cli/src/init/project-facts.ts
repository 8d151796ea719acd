import { readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { readTextIfExists } from '@servicekit/core/node'
import { findProjectRoot } from '@servicekit/catalog/config'
import { ConfigError } from '@servicekit/client'
import type { Agent } from 'package-manager-detector'
import { detectPackageManager } from '../package-manager.ts'

/** The parts of a package.json that the commands read. */
interface Manifest {
  readonly name?: string
  readonly type?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly workspaces?: readonly string[] | { readonly packages?: readonly string[] }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Facts about an application, read from its files. */
export interface ProjectFacts {
  readonly root: string
  readonly manifest: Manifest
  readonly manifestText: string
  /** Dependencies of every kind, by name. */
  readonly dependencies: Readonly<Record<string, string>>
  /** Names of the files and folders in the root. */
  readonly files: readonly string[]
  readonly agent: Agent
  readonly isTypeScript: boolean
  /** Folder with `.git`; undefined outside of a repository. */
  readonly gitRoot: string | undefined
  /** Folder of the configuration: the root, or a folder above that has one. */
  readonly configRoot: string
}

/**
 * Reads the facts about the application in a folder.
 *
 * @throws ConfigError if the folder has no package.json, or one that cannot be parsed.
 */
export async function readFacts(given: string): Promise<ProjectFacts> {
  const root = resolve(given)
  const manifestText = await readTextIfExists(join(root, 'package.json'))
  if (manifestText === undefined) {
    throw new ConfigError(`Folder ${given} has no package.json`, {
      details: { root },
      help: 'Run the command in the folder of an application, or set --root.',
    })
  }
  const manifest = parseManifest(manifestText, join(root, 'package.json'))
  const dependencies = dependenciesOf(manifest)
  const files = namesIn(root)
  return {
    root,
    manifest,
    manifestText,
    dependencies,
    files,
    agent: await detectPackageManager(root),
    isTypeScript: files.some((name) => /^tsconfig(?:\..+)?\.json$/.test(name)),
    gitRoot: findUpwards(root, '.git'),
    configRoot: (await findProjectRoot(root)).root,
  }
}

/** Returns the dependencies of every kind, by name. */
export const dependenciesOf = (manifest: Manifest): Readonly<Record<string, string>> => ({
  ...manifest.dependencies,
  ...manifest.devDependencies,
})

/** @throws ConfigError if the text is not JSON. */
export function parseManifest(text: string, file: string): Manifest {
  try {
    return JSON.parse(text) as Manifest
  } catch (cause) {
    throw new ConfigError('Cannot read package.json', {
      details: { file, reason: String(cause) },
      help: 'Correct the file.',
      cause,
    })
  }
}

/** Returns the names of the files in a folder; none if it does not exist. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Returns the nearest folder upwards that contains a file. */
function findUpwards(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (namesIn(at).includes(name)) return at
    if (dirname(at) === at) return undefined
  }
}

/**
 * Returns the folders of the applications in the root of a monorepo: workspace packages that
 * depend on a bundler or a framework. Undefined if the folder is not such a root.
 */
export async function findApps(
  { root, files, manifest }: ProjectFacts,
  isApp: (facts: ProjectFacts) => boolean,
): Promise<readonly string[] | undefined> {
  const patterns = await workspacePatterns(root, files, manifest)
  if (patterns.length === 0) return undefined
  const folders = patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((pattern) => expand(root, pattern.replace(/\/$/, '')))
  const apps: string[] = []
  for (const folder of [...new Set(folders)].toSorted()) {
    if (!namesIn(folder).includes('package.json')) continue
    if (isApp(await readFacts(folder))) apps.push(relative(root, folder).replaceAll('\\', '/'))
  }
  return apps
}

async function workspacePatterns(
  root: string,
  files: readonly string[],
  { workspaces }: Manifest,
): Promise<readonly string[]> {
  if (files.includes('pnpm-workspace.yaml')) {
    const text = (await readTextIfExists(join(root, 'pnpm-workspace.yaml'))) ?? ''
    const [, list = ''] = /^packages:\s*\n((?:\s*(?:-.*|#.*)?\n?)*)/m.exec(text) ?? []
    return [...list.matchAll(/^\s*-\s*['"]?([^'"#\n]+?)['"]?\s*(?:#.*)?$/gm)].map(([, one]) => one!)
  }
  if (workspaces === undefined) return []
  return 'packages' in workspaces ? (workspaces.packages ?? []) : (workspaces as readonly string[])
}

/** Expands a pattern such as `apps/*`; `**` reaches three levels. */
function expand(root: string, pattern: string): readonly string[] {
  const [part, ...rest] = pattern.split('/')
  if (part === undefined || part === '') return [root]
  const children = (): readonly string[] =>
    readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(?:node_modules|\.)/.test(entry.name))
      .map(({ name }) => join(root, name))
  const below = (folder: string): readonly string[] =>
    rest.length === 0 ? [folder] : expand(folder, rest.join('/'))
  if (part === '**') {
    const levels = [root, ...children(), ...children().flatMap((one) => expand(one, '*'))]
    return levels.flatMap(below)
  }
  if (part.includes('*')) {
    const name = new RegExp(`^${part.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
    return children()
      .filter((one) => name.test(one.split(/[\\/]/).at(-1)!))
      .flatMap(below)
  }
  return namesIn(root).includes(part) ? below(join(root, part)) : []
}
