import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Package that the code of a folder loads. */
export interface Installed {
  readonly name: string
  readonly version: string
  readonly folder: string
}

/** Finds the package that code in a folder loads, also with Yarn PnP. */
export function findInstalled(name: string, from: string): Installed | undefined {
  try {
    const file = createRequire(join(from, 'package.json')).resolve(`${name}/package.json`)
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: string }
    return version === undefined ? undefined : { name, version, folder: dirname(file) }
  } catch {
    return undefined
  }
}
