import type { ESTree } from 'vite'
import { type Node, variablesOf, walk } from './syntax-tree.ts'

/** Variable of a source file: an object of its own, so that maps can have it as key. */
export interface Variable {
  readonly name: string
}

/** Finds the variable that has a name at a node. */
export type Resolve = (name: string, at: Node) => Variable | undefined

/** Declares the variables of a program in their scopes. */
export function createScopes(program: ESTree.Program): Resolve {
  const parents = new Map<Node, Node | undefined>()
  const scopes = new Map<Node, Map<string, Variable>>()

  const nearest = (from: Node | undefined, isScope: (node: Node) => boolean): Node => {
    for (let node = from; node; node = parents.get(node)) if (isScope(node)) return node
    return program
  }
  const declare = (scope: Node, patterns: readonly unknown[]): void => {
    const variables = scopes.get(scope) ?? new Map<string, Variable>()
    scopes.set(scope, variables)
    for (const { name } of patterns.flatMap(variablesOf)) {
      if (!variables.has(name)) variables.set(name, { name })
    }
  }

  walk(program, (node, parent) => {
    parents.set(node, parent)
    switch (node.type) {
      case 'ImportDeclaration':
        return declare(
          program,
          node.specifiers.map(({ local }) => local),
        )
      case 'VariableDeclaration':
        return declare(
          nearest(parent, node.kind === 'var' ? isFunctionScope : isBlockScope),
          node.declarations.map(({ id }) => id),
        )
      case 'FunctionDeclaration':
        declare(nearest(parent, isBlockScope), [node.id])
        return declare(node, node.params)
      case 'FunctionExpression':
        return declare(node, [node.id, ...node.params])
      case 'ArrowFunctionExpression':
        return declare(node, node.params)
      case 'ClassExpression':
        return declare(node, [node.id])
      case 'CatchClause':
        return declare(node, [node.param])
      case 'ClassDeclaration':
      case 'TSEnumDeclaration':
      case 'TSImportEqualsDeclaration':
      case 'TSModuleDeclaration':
        return declare(nearest(parent, isBlockScope), [node.id])
    }
  })

  return (name, at) => {
    for (let node: Node | undefined = at; node; node = parents.get(node)) {
      const variable = scopes.get(node)?.get(name)
      if (variable) return variable
    }
    return undefined
  }
}

const functionScopes: ReadonlySet<string> = new Set([
  'Program',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'StaticBlock',
  'TSModuleBlock',
])
const blockScopes: ReadonlySet<string> = new Set([
  ...functionScopes,
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
])
const isFunctionScope = ({ type }: Node): boolean => functionScopes.has(type)
const isBlockScope = ({ type }: Node): boolean => blockScopes.has(type)
