import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '@servicekit/client'
import { byCodePoint, fileNameOf } from '@servicekit/core'
import { pathInside } from './inside.ts'

/**
 * Finds the translation files of a language in a folder, by module: `shop/cart` for
 * `de/shop/cart.json`, and for `de/shop%2Fcart.json`, the form of a snapshot. Skips hidden folders.
 *
 * @returns absolute paths.
 * @throws ConfigError if two files are of the same module.
 * @throws ServicekitError READ_FAILED for a link out of the folder.
 */
export async function findModuleFiles(
  from: string,
  language: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const walk = async (folder: string, prefix: string, above: readonly string[]): Promise<void> => {
    const real = pathInside(from, folder)
    // A link may lead back to a folder above.
    if (real === undefined || above.includes(real)) return
    const entries = await readdir(folder, { withFileTypes: true })
    for (const entry of entries.sort((a, b) => byCodePoint(a.name, b.name))) {
      if (entry.name.startsWith('.')) continue
      const path = join(folder, entry.name)
      const isLink = entry.isSymbolicLink()
      if (isLink && pathInside(from, path) === undefined) continue
      const target = isLink ? await stat(path) : entry
      if (target.isDirectory()) {
        await walk(path, `${prefix}${decodeName(entry.name)}/`, [...above, real])
      } else if (entry.name.endsWith('.json')) {
        const module = prefix + decodeName(entry.name.slice(0, -'.json'.length))
        const other = found.get(module)
        if (other !== undefined) throw sameModule(module, other, path)
        found.set(module, path)
      }
    }
  }
  await walk(join(from, language), '', [])
  return found
}

/** Returns the path of a new file of a module: `de/shop/cart.json`. */
export function newModuleFile(from: string, language: string, module: string): string {
  const segments = module.split('/')
  const names = segments.includes('') ? [fileNameOf(module)] : segments.map(fileNameOf)
  return `${join(from, language, ...names)}.json`
}

/** File names encode characters that are not allowed in them. */
function decodeName(name: string): string {
  try {
    const decoded = decodeURIComponent(name)
    return fileNameOf(decoded) === name ? decoded : name
  } catch {
    return name
  }
}

const sameModule = (module: string, one: string, other: string): ConfigError =>
  new ConfigError(`Two files are of the module ${JSON.stringify(module)}`, {
    details: { one, other },
    help: 'Remove one of them.',
  })
