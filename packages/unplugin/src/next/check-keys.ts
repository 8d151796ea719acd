import type { ModuleModel } from '@servicekit/catalog'
import type { ESTree } from 'vite'
import { findModuleUses } from '../source/module-uses.ts'
import { findLookup, findMessage, findModule, type MessageIndex } from './message-index.ts'

/**
 * Checks the messages that a file imports.
 *
 * @throws UnknownKeyError for the first one that does not exist.
 */
export async function checkKeys(
  program: ESTree.Program,
  { file, source }: { readonly file: string; readonly source: string },
  index: MessageIndex,
): Promise<void> {
  const { names } = findModuleUses(program)
  for (const specifier of new Set(names.map((use) => use.specifier))) {
    if (index.entries.includes(specifier)) continue
    const module = findModule(index, specifier)
    if (!module && findLookup(index, specifier)) continue
    const used = names.flatMap((use) => (use.specifier === specifier ? use.name : []))
    const unknown = used.find((name) => !module || !findMessage(module, name))
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
