import { ts } from 'ts-morph'
import { valueOf } from '../usage/evaluate.ts'
import { vuePackage } from '../usage/hooks.ts'
import type { OpenedFile } from '../usage/usage.ts'

/** Statement that creates or initializes the library, after which both can be kept in step. */
export interface LibrarySetup {
  /** Call of `init` or `createI18n`. */
  readonly call: ts.CallExpression
  readonly statement: ts.Statement
  /** Name of the instance; undefined if the code does not name it. */
  readonly instance: string | undefined
  /** Module that exports `syncLanguage` for the library. */
  readonly entry: '~uilm/i18next' | '~uilm/vue'
}

/** Finds `i18next.use(…).init({…})` and `const i18n = createI18n({…})`. */
export function findLibrarySetups({ read, context }: OpenedFile): readonly LibrarySetup[] {
  const isSynced = read.imports.some(({ name }) => name === 'syncLanguage')
  if (isSynced || !/\binit\b|\bcreateI18n\b/.test(read.source.text)) return []
  const found: LibrarySetup[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const setup = readSetup(node, context)
      const statement = setup && statementOf(node)
      if (statement) found.push({ ...setup, call: node, statement })
    }
    ts.forEachChild(node, visit)
  }
  visit(read.source)
  return found
}

function readSetup(
  call: ts.CallExpression,
  context: OpenedFile['context'],
): Pick<LibrarySetup, 'instance' | 'entry'> | undefined {
  const { expression: callee, parent } = call
  if (ts.isIdentifier(callee)) {
    const value = callee.text === 'createI18n' ? valueOf(call, context) : undefined
    if (value?.kind !== 'i18n' || value.from !== vuePackage) return undefined
    const isNamed = ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)
    return {
      instance: isNamed ? (parent.name as ts.Identifier).text : undefined,
      entry: '~uilm/vue',
    }
  }
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'init') return undefined
  const value = valueOf(callee.expression, context)
  if (value?.kind !== 'i18n' || value.isExternal) return undefined
  return { instance: rootName(callee.expression), entry: '~uilm/i18next' }
}

/** Returns the name at the start of a chain: `i18n` of `i18n.use(backend).use(detector)`. */
function rootName(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text
  // The result of `createInstance()` is another instance than that of its package.
  if (ts.isCallExpression(node)) {
    const { expression: callee } = node
    const isChain = ts.isPropertyAccessExpression(callee) && callee.name.text === 'use'
    return isChain ? rootName(callee.expression) : undefined
  }
  return undefined
}

/** Returns the statement of a list of statements that contains a node. */
function statementOf(node: ts.Node): ts.Statement | undefined {
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at
    if (ts.isFunctionLike(at) && !ts.isBlock((at as ts.FunctionLikeDeclaration).body ?? at)) {
      return undefined
    }
    if (ts.isBlock(parent) || ts.isSourceFile(parent)) {
      // Nothing runs after it.
      return ts.isReturnStatement(at) ? undefined : (at as ts.Statement)
    }
  }
  return undefined
}
