import type { ModuleModel } from '@servicekit/catalog'
import { nameUses } from '../core/name-uses.ts'
import { findLookup, findMessage, findModule, type MessageIndex } from './message-index.ts'

/**
 * Checks the messages that a file imports.
 *
 * @throws UnknownKeyError for the first one that does not exist.
 */
export async function checkKeys(source: string, file: string, index: MessageIndex): Promise<void> {
  for (const specifier of importedModules(source)) {
    if (index.entries.includes(specifier)) continue
    const module = findModule(index, specifier)
    if (!module && findLookup(index, specifier)) continue
    const names = nameUses(source, module?.specifiers ?? [specifier]).map(({ name }) => name)
    const unknown = module ? names.find((name) => !findMessage(module, name)) : (names[0] ?? '')
    if (unknown === undefined) continue
    // The catalog is loaded only for an error, because each build has several loader processes.
    const { unknownKeyError } = await import('../core/unknown-key.ts')
    throw unknownKeyError(
      { module: specifier.slice('~uilm/'.length), name: unknown },
      { file, source },
      index.modules as unknown as readonly ModuleModel[],
    )
  }
}

/** Returns the specifiers of the key modules that a file imports. */
function importedModules(source: string): ReadonlySet<string> {
  const found = [...source.matchAll(/(?:\bfrom|\bimport\s*\(?)\s*(['"])(~uilm\/[^'"]+)\1/g)]
  return new Set(found.map(([, , specifier]) => specifier!))
}
