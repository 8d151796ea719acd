import type { MagicString } from 'magic-string'
import type { ESTree } from 'vite'
import { nameOf } from '../source/syntax-tree.ts'

/**
 * Removes an export of a file but keeps what it exports, so that another expression can be
 * exported under the name.
 *
 * @returns the local name of what was exported; undefined if there is no such export.
 */
export function takeExport(
  edited: MagicString,
  program: ESTree.Program,
  name: string,
): string | undefined {
  for (const node of program.body) {
    if (node.type === 'ExportDefaultDeclaration' && name === 'default') {
      return takeDefault(edited, node)
    }
    if (node.type !== 'ExportNamedDeclaration') continue
    if (declaredName(node.declaration) === name) {
      edited.remove(node.start, node.declaration!.start)
      return name
    }
    const specifier = node.specifiers.find((one) => nameOf(one.exported) === name)
    if (!specifier) continue
    removeFromList(edited, node, specifier)
    const local = nameOf(specifier.local)
    if (!node.source) return local
    edited.append(`\nimport { ${local} as $${name} } from ${JSON.stringify(node.source.value)}`)
    return `$${name}`
  }
  return undefined
}

function takeDefault(edited: MagicString, node: ESTree.ExportDefaultDeclaration): string {
  const { declaration } = node
  if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') {
    if (declaration.id) {
      edited.remove(node.start, declaration.start)
      return declaration.id.name
    }
  }
  edited.overwrite(node.start, declaration.start, 'const $default = ')
  return '$default'
}

function declaredName(
  declaration: ESTree.ExportNamedDeclaration['declaration'],
): string | undefined {
  if (declaration?.type === 'FunctionDeclaration') return declaration.id?.name
  if (declaration?.type !== 'VariableDeclaration' || declaration.declarations.length !== 1) {
    return undefined
  }
  const { id } = declaration.declarations[0]!
  return id.type === 'Identifier' ? id.name : undefined
}

function removeFromList(
  edited: MagicString,
  node: ESTree.ExportNamedDeclaration,
  specifier: ESTree.ExportSpecifier,
): void {
  if (node.specifiers.length === 1) {
    edited.remove(node.start, node.end)
    return
  }
  const index = node.specifiers.indexOf(specifier)
  const before = node.specifiers[index - 1]
  const after = node.specifiers[index + 1]
  if (before) edited.remove(before.end, specifier.end)
  else edited.remove(specifier.start, after!.start)
}
