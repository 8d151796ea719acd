import { readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Folder of the project that a bundler's folder belongs to: the nearest one, from
 * there up, with a `servicekit.config.*` or a lock, as commands are run in. Nuxt and
 * pages below `src` have a root of their own; two applications may share a project.
 * The bundler's folder where there is none up to the repository's.
 */
export function projectRootOf(folder: string): string {
  const begin = resolve(folder)
  for (let at = begin; ; at = dirname(at)) {
    const names = namesIn(at)
    if (names.some((name) => /^servicekit\.config\.\w+$|^uilm\.lock\.json$/.test(name))) return at
    const isLast = names.some((name) => name === '.git' || name === 'pnpm-workspace.yaml')
    if (isLast || dirname(at) === at) return begin
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
