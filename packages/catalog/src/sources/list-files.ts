import { accessSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, ServicekitError } from '@servicekit/client'
import { byCodePoint } from '@servicekit/core'
import { statIfExists } from '@servicekit/core/node'
import { pathInside } from '../files/inside.ts'

/** Most files of a folder, far above every project; more are those of a wrong folder. */
const maxFiles = 100_000

/**
 * Returns the paths of the `.json`, `.yml` and `.yaml` files of a folder, relative to it with `/`,
 * in code-point order. Skips hidden folders, `node_modules`, and links out of the folder.
 *
 * @throws ConfigError if the folder cannot be read.
 */
export function listFiles(folder: string): readonly string[] {
  const found: string[] = []
  const walk = (prefix: string, above: readonly string[]): void => {
    const real = pathInside(folder, join(folder, prefix))
    // A link may lead back to a folder above.
    if (real === undefined || above.includes(real)) return
    for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
      const { name } = entry
      if (name.startsWith('.') || name === 'node_modules') continue
      const path = prefix + name
      const isLink = entry.isSymbolicLink()
      if (isLink && isOutside(folder, path)) continue
      const target = isLink ? statIfExists(join(folder, path)) : entry
      if (target?.isDirectory()) walk(`${path}/`, [...above, real])
      else if (target?.isFile() && /\.(?:json|ya?ml)$/.test(name) && path !== 'uilm.keys.json') {
        found.push(path)
        if (found.length > maxFiles) throw tooMany(folder)
      }
    }
  }
  try {
    accessSync(folder)
    walk('', [])
  } catch (cause) {
    if (cause instanceof ServicekitError) throw cause
    throw new ConfigError(`Cannot read the folder ${folder}`, {
      help: 'Set the option from to a folder of <language>/<module>.json.',
      cause,
    })
  }
  return found.sort(byCodePoint)
}

const isOutside = (folder: string, path: string): boolean =>
  pathInside(folder, join(folder, path)) === undefined

const tooMany = (folder: string): ConfigError =>
  new ConfigError(`${folder} has more than ${maxFiles} files`, {
    help: 'Set the option from to the folder of the translations.',
  })
