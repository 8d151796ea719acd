import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isObject } from '@servicekit/core'
import { readTextIfExists } from '@servicekit/core/node'

/** Result of the search for a project folder. */
export interface ProjectRoot {
  readonly root: string
  /** Folders in which a config file was looked for, the first one first. */
  readonly searched: readonly string[]
}

/**
 * Finds the project folder: the nearest folder upwards with a `servicekit.config.*` or a
 * lock file. Commands may run in any folder of the project, Nuxt and pages below `src` have
 * a root of their own, and two applications may share a project. Returns `folder` itself if
 * there is none up to the root of the repository or workspace.
 */
export async function findProjectRoot(folder: string): Promise<ProjectRoot> {
  const start = resolve(folder)
  const searched: string[] = []
  for (let at = start; ; at = dirname(at)) {
    searched.push(at)
    const names = await readdir(at).catch((): string[] => [])
    if (names.some((name) => /^servicekit\.config\.\w+$|^uilm\.lock\.json$/.test(name))) {
      return { root: at, searched }
    }
    if (dirname(at) === at || (await isWorkspaceRoot(at, names))) return { root: start, searched }
  }
}

/** Returns whether a folder is the root of a repository or of a workspace. */
async function isWorkspaceRoot(folder: string, names: readonly string[]): Promise<boolean> {
  if (names.includes('.git') || names.includes('pnpm-workspace.yaml')) return true
  if (!names.includes('package.json')) return false
  try {
    const manifest: unknown = JSON.parse(
      (await readTextIfExists(join(folder, 'package.json'))) ?? '',
    )
    return isObject(manifest) && 'workspaces' in manifest
  } catch {
    return false
  }
}
