import { join } from 'node:path'
import { isObject, parseJson } from '@servicekit/core'
import { readTextIfExistsSync } from '@servicekit/core/node'

/** Returns whether `servicekit compile` wrote a folder. */
export function isProgramFolder(folder: string): boolean {
  const map = parseJson(readTextIfExistsSync(join(folder, 'import-map.json')) ?? '')
  const imports = isObject(map) ? map['imports'] : undefined
  return isObject(imports) && imports['~uilm'] === './runtime.js'
}
