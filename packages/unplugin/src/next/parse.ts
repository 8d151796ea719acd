import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ESTree } from 'vite'

/**
 * Parses TypeScript or JavaScript with JSX, by the parser that Next.js contains. Returns
 * undefined for files with syntax errors, which the compiler reports.
 *
 * @param root Folder in which `next` is resolved.
 */
export function parseModule(
  source: string,
  file: string,
  root: string,
): ESTree.Program | undefined {
  const { parse } = createRequire(join(root, 'package.json'))(
    'next/dist/compiled/babel/parser',
  ) as BabelParser
  const isPlainTypescript = /\.[mc]?ts$/.test(file)
  try {
    return parse(source, {
      sourceType: 'module',
      errorRecovery: true,
      createImportExpressions: true,
      plugins: ['estree', 'typescript', 'decorators', ...(isPlainTypescript ? [] : ['jsx'])],
    }).program
  } catch {
    return undefined
  }
}

interface BabelParser {
  readonly parse: (source: string, options: object) => { readonly program: ESTree.Program }
}

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
  if (type.startsWith('TS') && !wrappers.has(type)) return
  if (visit(node as Node, parent) === false) return
  for (const [key, child] of Object.entries(node)) {
    if (key !== 'loc' && key !== 'range') walk(child, visit, node as Node)
  }
}

/** Nodes of TypeScript that contain expressions. */
const wrappers: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSTypeAssertion',
  'TSExportAssignment',
  'TSEnumDeclaration',
  'TSEnumBody',
  'TSEnumMember',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSParameterProperty',
])

/** Returns the directive that a file starts with. */
export function directiveOf(program: ESTree.Program): 'client' | 'server' | undefined {
  for (const node of program.body) {
    const directive = 'directive' in node ? node.directive : undefined
    if (typeof directive !== 'string') return undefined
    if (directive === 'use client') return 'client'
    if (directive === 'use server') return 'server'
  }
  return undefined
}

/** Returns a name of an import or export list. */
export const nameOf = (name: ESTree.ModuleExportName): string =>
  name.type === 'Literal' ? String(name.value) : name.name
