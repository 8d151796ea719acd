import type { MagicString } from 'magic-string'
import type { ESTree } from 'vite'
import { importedNames } from './file-imports.ts'
import { findMessage, findModule, type IndexedModule, type MessageIndex } from './message-index.ts'

/**
 * Replaces imports of messages in code for browsers by one lookup per message and file, so
 * that no module contains the ids of other pages:
 *
 * ```js
 * import { ITEMS } from '~uilm/cart'
 * import { message as $uilm } from '~uilm-next/client'; var ITEMS = $uilm("cart.ITEMS");
 * ```
 *
 * A namespace becomes an object of the members that the file uses. Other forms, such as
 * `import()`, keep the module with all its ids.
 */
export function rewriteForBrowser(
  edited: MagicString,
  program: ESTree.Program,
  index: MessageIndex,
): void {
  let isImported = false
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type') continue
    const module = findModule(index, node.source.value)
    if (!module || node.specifiers.length === 0) continue
    const variables = variablesOf(node, program, module)
    if (!variables) continue
    // Keeps the number of lines.
    const lines = edited.original.slice(node.start, node.end).match(/\n/g) ?? []
    const head = isImported ? '' : `import { message as $uilm } from '~uilm-next/client'; `
    if (variables.length > 0) isImported = true
    edited.overwrite(
      node.start,
      node.end,
      `${variables.length > 0 ? `${head}var ${variables.join(', ')};` : ''}${lines.join('')}` ||
        ';',
    )
  }
}

/** Returns the declarations of the imported names; undefined if the import must stay. */
function variablesOf(
  { specifiers }: ESTree.ImportDeclaration,
  program: ESTree.Program,
  module: IndexedModule,
): readonly string[] | undefined {
  const variables: string[] = []
  for (const one of specifiers) {
    if ('importKind' in one && one.importKind === 'type') continue
    const names = importedNames(one, program)
    if (!names) return undefined
    const calls = names.map((name) => [name, callOf(module, name)] as const)
    variables.push(
      one.type === 'ImportNamespaceSpecifier'
        ? `${one.local.name} = { ${calls.map(([name, call]) => `${JSON.stringify(name)}: ${call}`).join(', ')} }`
        : `${one.local.name} = ${calls[0]![1]}`,
    )
  }
  return variables
}

function callOf(module: IndexedModule, name: string): string {
  const message = findMessage(module, name)
  return message ? `/*#__PURE__*/ $uilm(${JSON.stringify(message.id)})` : 'undefined'
}
