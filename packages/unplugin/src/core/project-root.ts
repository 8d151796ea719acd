import { readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Returns the project folder of a bundler's root: the nearest folder upwards with a
 * `servicekit.config.*` or a lock file. Nuxt and pages below `src` have a root of their
 * own, and two applications may share a project. Returns the bundler's root if there is
 * none up to the repository root.
 */
export function projectRootOf(folder: string): string {
  const start = resolve(folder)
  for (let at = start; ; at = dirname(at)) {
    const names = namesIn(at)
    if (names.some((name) => /^servicekit\.config\.\w+$|^uilm\.lock\.json$/.test(name))) return at
    const isLast = names.some((name) => name === '.git' || name === 'pnpm-workspace.yaml')
    if (isLast || dirname(at) === at) return start
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
