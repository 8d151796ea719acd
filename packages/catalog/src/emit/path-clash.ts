import { dirname } from 'node:path'
import { ServicekitError } from '@servicekit/client'

/** Generated file, and the module that it is generated for. */
export interface OwnedPath {
  readonly path: string
  /** Undefined for a file that every project has. */
  readonly module?: string | undefined
}

/**
 * Throws if two generated files have the same path, or one the path of a folder of another. Ignores
 * case, as many file systems do.
 *
 * @throws ServicekitError CATALOG_INVALID that names the modules.
 */
export function rejectPathClash(outDir: string, files: readonly OwnedPath[]): void {
  const known = new Map<string, OwnedPath>()
  for (const file of files) {
    const place = file.path.toLowerCase()
    const other = known.get(place)
    if (other) throw pathClash(file, other)
    known.set(place, file)
  }
  const root = outDir.toLowerCase()
  for (const file of files) {
    let folder = dirname(file.path.toLowerCase())
    while (folder.length > root.length) {
      const other = known.get(folder)
      if (other) throw pathClash(file, other)
      folder = dirname(folder)
    }
  }
}

function pathClash(one: OwnedPath, other: OwnedPath): ServicekitError {
  const names = [...new Set([one.module, other.module])].filter((name) => name !== undefined)
  const modules = names.map((name) => JSON.stringify(name)).join(' and ')
  return new ServicekitError(
    `The generated files of the module ${modules} clash: ${other.path} is needed twice`,
    {
      code: 'CATALOG_INVALID',
      details: { files: `${one.path} and ${other.path}` },
      help: 'Rename the module on the platform, or select others with the option modules.',
    },
  )
}
