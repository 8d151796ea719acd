import type { ESTree } from 'vite'
import { isTypeOnly, nameOf, type Node, variablesOf, walk } from '../source/syntax-tree.ts'
import { directiveOf } from './directive.ts'

/** Imports and exports of a source file that remain at run time. */
export interface FileImports {
  readonly directive: 'client' | 'server' | undefined
  readonly imports: readonly FileImport[]
  /** Specifiers of `import()`. */
  readonly dynamic: readonly string[]
  readonly reexports: readonly Reexport[]
  /** Names of the file's own exports. */
  readonly exports: readonly string[]
}

interface FileImport {
  readonly specifier: string
  /** Imported names; undefined if any export may be used. */
  readonly names: readonly string[] | undefined
}

interface Reexport {
  readonly specifier: string
  /** Names there and here; undefined for all of them. */
  readonly names: readonly (readonly [from: string, to: string])[] | undefined
  /** Name of `export * as name`. */
  readonly namespace?: string
}

/** Lists the imports and exports of a file. */
export function fileImports(program: ESTree.Program): FileImports {
  const used = usedNames(program)
  const imports: FileImport[] = []
  const reexports: Reexport[] = []
  const exports: string[] = []
  for (const node of program.body) {
    if (isTypeOnly(node)) continue
    if (node.type === 'ImportDeclaration') {
      const found = importOf(node, program, used)
      if (found) imports.push(found)
    } else if (node.type === 'ExportAllDeclaration') {
      const specifier = node.source.value
      reexports.push(
        node.exported
          ? { specifier, names: undefined, namespace: nameOf(node.exported) }
          : { specifier, names: undefined },
      )
    } else if (node.type === 'ExportDefaultDeclaration') exports.push('default')
    else if (node.type === 'ExportNamedDeclaration') {
      const names = node.specifiers
        .filter((one) => !isTypeOnly(one))
        .map((one) => [nameOf(one.local), nameOf(one.exported)] as const)
      if (node.source) reexports.push({ specifier: node.source.value, names })
      else exports.push(...names.map(([, to]) => to), ...declaredNames(node.declaration))
    }
  }
  return {
    directive: directiveOf(program),
    imports,
    dynamic: dynamicImports(program),
    reexports,
    exports,
  }
}

/** Compilers remove imports whose names are used only in types. */
function importOf(
  node: ESTree.ImportDeclaration,
  program: ESTree.Program,
  used: ReadonlySet<string>,
): FileImport | undefined {
  const specifier = node.source.value
  if (node.specifiers.length === 0) return { specifier, names: undefined }
  const kept = node.specifiers.filter((one) => !isTypeOnly(one) && used.has(one.local.name))
  if (kept.length === 0) return undefined
  const names = kept.map((one) => importedNames(one, program))
  return { specifier, names: names.includes(undefined) ? undefined : names.flatMap((all) => all!) }
}

/** Returns the imported names of a specifier; undefined if any export may be used. */
export function importedNames(
  one: ESTree.ImportDeclarationSpecifier,
  program: ESTree.Program,
): readonly string[] | undefined {
  if (one.type === 'ImportNamespaceSpecifier') return namespaceNames(program, one.local.name)
  return [one.type === 'ImportSpecifier' ? nameOf(one.imported) : 'default']
}

/**
 * Returns the members of a namespace that a file uses, `cart.ITEMS` or `<Form.Field />`.
 * Returns undefined if it uses the namespace in any other way.
 */
function namespaceNames(program: ESTree.Program, local: string): readonly string[] | undefined {
  const names = new Set<string>()
  let isDynamic = false
  walk(program.body, (node, parent) => {
    if (node.type === 'ImportDeclaration') return false
    if (!isName(node, local) || !isReference(node, parent)) return
    const member = parent && memberOf(parent, node)
    if (member === undefined) isDynamic = true
    else names.add(member)
  })
  return isDynamic ? undefined : [...names]
}

/** Returns the static member that a node accesses of an object. */
function memberOf(parent: Node, object: Node): string | undefined {
  if (parent.type === 'MemberExpression' && parent.object === object) {
    const { property, computed } = parent
    if (!computed) return property.type === 'Identifier' ? property.name : undefined
    return property.type === 'Literal' && typeof property.value === 'string'
      ? property.value
      : undefined
  }
  if (parent.type === 'JSXMemberExpression') return parent.property.name
  return undefined
}

const isName = (node: Node, name: string): boolean =>
  (node.type === 'Identifier' || node.type === 'JSXIdentifier') && node.name === name

/** Names of properties and labels are no references. */
function isReference(node: Node, parent: Node | undefined): boolean {
  if (!parent) return true
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed
  if (parent.type === 'JSXMemberExpression') return parent.object === node
  if (parent.type === 'JSXAttribute') return false
  if (parent.type === 'Property') return parent.value === node || parent.computed
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition') {
    return parent.value === node || parent.computed
  }
  return true
}

/** Returns all names that a file uses outside types and imports. */
function usedNames(program: ESTree.Program): ReadonlySet<string> {
  const names = new Set<string>()
  walk(program.body, (node, parent) => {
    if (node.type === 'ImportDeclaration') return false
    const isUsed =
      (node.type === 'Identifier' || node.type === 'JSXIdentifier') && isReference(node, parent)
    if (isUsed) names.add(node.name)
  })
  return names
}

function dynamicImports(program: ESTree.Program): readonly string[] {
  const specifiers = new Set<string>()
  walk(program.body, (node) => {
    if (node.type !== 'ImportExpression') return
    if (node.source.type === 'Literal' && typeof node.source.value === 'string') {
      specifiers.add(node.source.value)
    }
  })
  return [...specifiers]
}

/** Returns the names that an exported declaration declares. */
function declaredNames(declaration: ESTree.ExportNamedDeclaration['declaration']): string[] {
  if (!declaration) return []
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => variablesOf(id).map(({ name }) => name))
  }
  const { id } = declaration as { readonly id?: { readonly name?: string } | null }
  return declaration.type.startsWith('TS') && declaration.type !== 'TSEnumDeclaration'
    ? []
    : id?.name === undefined
      ? []
      : [id.name]
}
