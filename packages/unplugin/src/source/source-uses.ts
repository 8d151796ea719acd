import type { EcmaScriptModule, StaticExportEntry, StaticImportEntry } from 'oxc-parser'
import { modulePrefix } from '../core/ids.ts'
import { findModuleUses, type ModuleUses, type NameUse } from './module-uses.ts'
import { parseFile } from './parse-source.ts'

/**
 * Finds the uses of key modules in a source file, as {@link findModuleUses} does. Most files only
 * name messages in lists of imports, which are read without the tree: that takes half the time.
 *
 * @returns undefined if the file cannot be parsed.
 */
export function findSourceUses(source: string, file: string): ModuleUses | undefined {
  const parsed = parseFile(source, file)
  const lists = parsed.errors.length === 0 ? findListedUses(source, parsed.module) : undefined
  if (lists) return lists
  const program = parsed.program()
  return program && findModuleUses(program)
}

/** Returns the names in lists; undefined if the source mentions key modules elsewhere. */
function findListedUses(
  source: string,
  { staticImports, staticExports, dynamicImports }: EcmaScriptModule,
): ModuleUses | undefined {
  const imports = staticImports.filter(({ moduleRequest }) => isKeyModule(moduleRequest.value))
  const exports = staticExports.flatMap(({ entries }) =>
    entries.filter(({ moduleRequest }) => isKeyModule(moduleRequest?.value)),
  )
  const mentions = source.split(modulePrefix).length - 1
  const places = new Set([...imports, ...exports].map(({ moduleRequest }) => moduleRequest!.start))
  if (mentions !== places.size) return undefined
  // An escape may hide a mention.
  if (dynamicImports.some(({ start, end }) => source.slice(start, end).includes('\\')))
    return undefined
  const entries = [
    ...imports.flatMap(({ moduleRequest, entries: list }) =>
      list.map((entry) => ({ specifier: moduleRequest.value, entry })),
    ),
    ...exports.map((entry) => ({ specifier: entry.moduleRequest!.value, entry })),
  ]
  if (entries.some(({ entry }) => isWhole(entry))) return undefined
  // An imported name that is exported again is in both lists, at the same position.
  const names = new Map<number, NameUse>()
  for (const { specifier, entry } of entries) {
    const { kind, name, start } = entry.importName
    if (entry.isType || kind !== 'Name' || name === null || start === null) continue
    const isQuoted = source[start] === '"' || source[start] === "'"
    names.set(start, { specifier, name, start: isQuoted ? start + 1 : start })
  }
  return {
    names: [...names.values()].toSorted((a, b) => a.start - b.start),
    whole: new Set(),
    lookups: new Set(),
  }
}

const isKeyModule = (specifier: string | undefined): boolean =>
  specifier?.startsWith(modulePrefix) === true

/** Returns true for `* as cart` and for `export *`. */
const isWhole = ({ importName: { kind } }: StaticImportEntry | StaticExportEntry): boolean =>
  kind === 'NamespaceObject' || kind === 'All' || kind === 'AllButDefault'
