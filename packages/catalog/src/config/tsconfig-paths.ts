import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readTextIfExists } from '@servicekit/core/node'

/**
 * Returns a warning for each tsconfig of a folder that still has `paths` for `~uilm`, which
 * older versions required. They lead tools that resolve imports by `paths` to declarations.
 */
export async function pathWarnings(root: string): Promise<readonly string[]> {
  const names = await readdir(root).catch(() => [])
  const files = names.filter((name) => /^[tj]sconfig(?:\..+)?\.json$/.test(name)).sort()
  const warnings = await Promise.all(
    files.map(async (file) => {
      const lines = ((await readTextIfExists(join(root, file))) ?? '').split('\n')
      const found = lines.flatMap((line, index) =>
        /^[^/]*"~uilm(?:\/\*)?"\s*:/.test(line) ? [index + 1] : [],
      )
      if (found.length === 0) return []
      const range = found.length === 1 ? `line ${found[0]}` : `lines ${found.join(' and ')}`
      return `${file}: delete ${range} ("~uilm" in paths) and reference .servicekit/types/index.d.ts in a file such as src/servicekit-env.d.ts`
    }),
  )
  return warnings.flat()
}
