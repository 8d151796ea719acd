import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, parseJson } from '@servicekit/core'

/** Returns whether `servicekit compile` wrote a folder. */
export function isProgramFolder(folder: string): boolean {
  const file = join(folder, 'import-map.json')
  if (!existsSync(file)) return false
  const map = parseJson(readFileSync(file, 'utf8'))
  const imports = isObject(map) ? map['imports'] : undefined
  return isObject(imports) && imports['~uilm'] === './runtime.js'
}
