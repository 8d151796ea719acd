import type { ESTree } from 'vite'

/** Node of any type. */
export type Node = ESTree.Node

/**
 * Calls `visit` for a node and all nodes below it that remain at run time, not those of
 * types.
 *
 * @param visit Returns `false` to skip the nodes below.
 */
export function walk(
  node: unknown,
  visit: (node: Node, parent: Node | undefined) => boolean | void,
  parent?: Node,
): void {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, visit, parent)
    return
  }
  if (typeof node !== 'object' || node === null) return
  const { type } = node as { readonly type?: unknown }
  if (typeof type !== 'string') return
  if (type.startsWith('TS') && !hasRuntimeCode.has(type)) return
  if (visit(node as Node, parent) === false) return
  for (const child of Object.values(node)) walk(child, visit, node as Node)
}

/** Nodes of TypeScript that remain at run time or contain expressions. */
const hasRuntimeCode: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSTypeAssertion',
  'TSExportAssignment',
  'TSEnumDeclaration',
  'TSEnumBody',
  'TSEnumMember',
  'TSExternalModuleReference',
  'TSImportEqualsDeclaration',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSParameterProperty',
])

/** Returns whether an import, an export or one of its names is that of a type. */
export const isTypeOnly = (node: object): boolean =>
  ('importKind' in node && node.importKind === 'type') ||
  ('exportKind' in node && node.exportKind === 'type')

/** Returns a name of an import or export list. */
export const nameOf = (name: ESTree.ModuleExportName): string =>
  name.type === 'Literal' ? name.value : name.name

/** Returns the value of a string literal, or of a template without expressions. */
export function stringOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]!.value.cooked ?? undefined
}

/** Returns the variables of a pattern: `{ a, b: [c] }` declares a and c. */
export function variablesOf(pattern: unknown): readonly ESTree.BindingIdentifier[] {
  const node = pattern as Node | null
  switch (node?.type) {
    case 'Identifier':
      return [node as ESTree.BindingIdentifier]
    case 'ObjectPattern':
      return node.properties.flatMap((one) =>
        variablesOf(one.type === 'RestElement' ? one.argument : one.value),
      )
    case 'ArrayPattern':
      return node.elements.flatMap(variablesOf)
    case 'AssignmentPattern':
      return variablesOf(node.left)
    case 'RestElement':
      return variablesOf(node.argument)
    case 'TSParameterProperty':
      return variablesOf(node.parameter)
    default:
      return []
  }
}

/** Returns a name for an import or export list, quoted if it is not an identifier. */
export const exportName = (name: string): string =>
  /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name)
