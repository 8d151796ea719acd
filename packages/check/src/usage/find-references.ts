import { ts } from 'ts-morph'
import { argumentsOf, functionOfParameter, isNamed } from './functions.ts'
import type { ReadFile } from './read-file.ts'
import { propertyName } from './scopes.ts'
import {
  argumentNames,
  callReference,
  isKeypath,
  isMaybeT,
  keypathReference,
  transReference,
} from './i18next-references.ts'
import { anyString, exactly, type PossibleStrings, stringsOf, unwrap } from './possible-strings.ts'
import type { Context, Value } from './value.ts'
import { functionValue, memberOf, valueOf } from './evaluate.ts'

/** Use of messages in the code, with unresolved names. */
export interface Reference {
  readonly node: ts.Node
  /** `import` uses export names, `i18next` uses keys. */
  readonly by: 'import' | 'i18next'
  /** Candidate modules in lookup order; undefined if unknown. */
  readonly modules: readonly string[] | undefined
  readonly strings: PossibleStrings
  /** Prefix of every key. */
  readonly prefix: string
  /** Names of the arguments, if they are all written literally. */
  readonly args: readonly string[] | undefined
  /** `true` if this is definitely a use of a message. A `t` may be anything. */
  readonly certain: boolean
  /** Call expression, if it is a call. */
  readonly call: ts.CallExpression | undefined
  /** i18next options of the call, without interpolation values. */
  readonly options: readonly string[]
  /** Package of the hook that returned `t`. */
  readonly hookOf: string | undefined
  /** Reason why a call of the message may not be equivalent. */
  readonly doubt: string | undefined
}

/** Finds the uses of messages in a file. */
export function findReferences(file: ReadFile, context: Context): readonly Reference[] {
  const found: Reference[] = []

  const add = (
    node: ts.Node,
    module: string,
    strings: PossibleStrings,
    call?: ts.CallExpression,
  ): void => {
    const base = {
      by: 'import',
      modules: [module],
      prefix: '',
      certain: true,
      options: [],
      doubt: undefined,
      hookOf: undefined,
    } as const
    found.push({ ...base, node, strings, call, args: call && argumentNames(call.arguments[0]) })
  }

  /** Records a value that is passed on. Its further use is not followed. */
  const addValue = (node: ts.Node, value: Value | undefined, call?: ts.CallExpression): void => {
    if (value?.kind === 'message') add(node, value.module, exactly(value.name), call)
    else if (value?.kind === 'module') add(node, value.module, anyString)
    else if (value?.kind === 'promise') addValue(node, value.of)
  }

  const addMembers = (
    node: ts.Node,
    value: Value,
    strings: PossibleStrings,
    call?: ts.CallExpression,
  ): void => {
    if (value.kind === 'module') add(node, value.module, strings, call)
    else if (value.kind === 'file') {
      for (const name of strings.exact) addValue(node, memberOf(value, name, context), call)
    }
  }

  /**
   * Records what a pattern destructures from a value. Returns whether the pattern was
   * handled.
   */
  const destructure = (pattern: ts.BindingName, value: Value): boolean => {
    if (!ts.isObjectBindingPattern(pattern)) return ts.isIdentifier(pattern)
    if (value.kind !== 'module' && value.kind !== 'file') return false
    for (const element of pattern.elements) {
      const key = element.propertyName ?? element.name
      if (element.dotDotDotToken) addMembers(element, value, anyString)
      else if (ts.isComputedPropertyName(key)) {
        addMembers(element, value, stringsOf(key.expression, context))
      } else {
        const name = propertyName(key)
        if (name === undefined) continue
        const inner = memberOf(value, name, context)
        if (inner?.kind === 'module' && destructure(element.name, inner)) continue
        addMembers(element, value, exactly(name))
      }
      if (element.initializer) visit(element.initializer)
    }
    return true
  }

  const visitAll = (nodes: readonly ts.Node[] | undefined): void => nodes?.forEach(visit)

  const visitCall = (node: ts.CallExpression): void => {
    const callee = unwrap(node.expression)
    const value = valueOf(callee, context)
    if (value?.kind === 'message') {
      addValue(callee, value, node)
      return visitAll(node.arguments)
    }
    const forward =
      value?.kind === 'function' ? value.forward(argumentsOf(node, context), 0) : undefined
    if (forward) {
      found.push(callReference(node, forward.t, context, forward))
      return visitAll(node.arguments)
    }
    const isT = value?.kind === 't' || (value?.kind === 'i18n' && value.isExternal)
    if (isT || isMaybeT(callee, context, value)) {
      if (node.arguments.length > 0 && !isFollowedFrom(node, context)) {
        found.push(callReference(node, value, context))
      }
      return visitAll(node.arguments)
    }
    const own = valueOf(node, context)
    if (own?.kind === 'promise' || own?.kind === 'module') return addValue(node, own)
    visit(node.expression)
    visitAll(node.arguments)
  }

  const visitAccess = (node: ts.PropertyAccessExpression | ts.ElementAccessExpression): void => {
    const base = valueOf(node.expression, context)
    if (base?.kind === 'module' || base?.kind === 'file') {
      const strings = ts.isPropertyAccessExpression(node)
        ? exactly(node.name.text)
        : stringsOf(node.argumentExpression, context)
      const call = isCallee(node) ? (node.parent as ts.CallExpression) : undefined
      addMembers(node, base, strings, call)
    } else if (base?.kind === 'promise') {
      if (!isFollowedThen(node)) addValue(node.expression, base)
    } else visit(node.expression)
    if (ts.isElementAccessExpression(node)) visit(node.argumentExpression)
  }

  const visit = (node: ts.Node): void => {
    // Tokens, keywords and literals: half of all nodes.
    if (node.kind < ts.SyntaxKind.Identifier) return
    if (
      ts.isImportDeclaration(node) ||
      ts.isExportDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node)
    ) {
      return
    }
    if (ts.isTypeNode(node)) {
      // The name in `extends Base` is an expression inside a type node.
      if (ts.isExpressionWithTypeArguments(node)) visit(node.expression)
      return
    }
    if (ts.isIdentifier(node)) {
      return addValue(node, valueOf(node, context))
    }
    if (ts.isCallExpression(node)) return visitCall(node)
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      return visitAccess(node)
    }
    if (isKeypath(node)) {
      found.push(keypathReference(node.right))
      return
    }
    if (ts.isAwaitExpression(node)) {
      const value = valueOf(node, context)
      return value?.kind === 'module' ? addValue(node, value) : visit(node.expression)
    }
    if (ts.isExportAssignment(node)) {
      return ts.isIdentifier(node.expression) ? undefined : visit(node.expression)
    }
    if (ts.isVariableDeclaration(node)) {
      const value = node.initializer && valueOf(node.initializer, context)
      const isKept = !ts.isIdentifier(node.name) || isFollowed(node.name, context)
      const isAlias =
        value?.kind === 'module' || value?.kind === 'file' || value?.kind === 'promise'
      if (isAlias && isKept && destructure(node.name, value)) return
      visitPattern(node.name)
      if (node.initializer) visit(node.initializer)
      return
    }
    if (ts.isFunctionLike(node)) return visitFunction(node)
    if (ts.isShorthandPropertyAssignment(node)) return visit(node.name)
    if (ts.isPropertyAssignment(node)) {
      visitName(node.name)
      return visit(node.initializer)
    }
    if (ts.isJsxAttribute(node)) return node.initializer && visit(node.initializer)
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const reference = transReference(node, context)
      if (reference) found.push(reference)
      visitAll(node.attributes.properties)
      return ts.isIdentifier(node.tagName) ? undefined : visit(node.tagName)
    }
    if (ts.isJsxClosingElement(node)) return
    if (ts.isEnumMember(node)) return node.initializer && visit(node.initializer)
    if (ts.isPropertyDeclaration(node)) {
      visitName(node.name)
      return node.initializer && visit(node.initializer)
    }
    if (ts.isClassLike(node)) {
      visitAll(node.heritageClauses)
      return visitAll(node.members)
    }
    if (ts.isLabeledStatement(node)) return visit(node.statement)
    if (ts.isBreakOrContinueStatement(node) || ts.isMetaProperty(node)) return
    ts.forEachChild(node, visit)
  }

  const visitName = (name: ts.PropertyName): void => {
    if (ts.isComputedPropertyName(name)) visit(name.expression)
  }

  const visitPattern = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) return
    for (const element of name.elements) {
      if (ts.isOmittedExpression(element)) continue
      if (element.propertyName) visitName(element.propertyName as ts.PropertyName)
      visitPattern(element.name)
      if (element.initializer) visit(element.initializer)
    }
  }

  const visitFunction = (node: ts.SignatureDeclaration): void => {
    const value = promisedTo(node, context)
    node.parameters.forEach((parameter, index) => {
      if (index === 0 && value) destructure(parameter.name, value)
      else visitPattern(parameter.name)
      if (parameter.initializer) visit(parameter.initializer)
    })
    if (node.name && ts.isComputedPropertyName(node.name)) visit(node.name.expression)
    const { body } = node as ts.FunctionLikeDeclaration
    if (body) visit(body)
  }

  ts.forEachChild(file.source, visit)
  return found
}

/** Returns whether a name is a constant whose uses can all be followed. */
function isFollowed(name: ts.Identifier, context: Context): boolean {
  return context.scopeOf(name).find(name.text)?.kind === 'value'
}

/**
 * Returns whether a call of `t` uses a key from a parameter of the enclosing function, so
 * that its callers determine the key.
 */
function isFollowedFrom(call: ts.CallExpression, context: Context): boolean {
  const [key] = call.arguments
  const own: Context = { ...context, argumentsOf: () => undefined }
  const isAny = key !== undefined && (ts.isSpreadElement(key) || stringsOf(key, own).any)
  const parent = isAny ? functionOfParameter(key, context) : undefined
  return (
    parent !== undefined &&
    isNamed(parent) &&
    functionValue(parent, context).forward([], 0)?.call === call
  )
}

const isCallee = (node: ts.Expression): boolean =>
  ts.isCallExpression(node.parent) && node.parent.expression === node

/** Returns whether the value of a promise goes to a function written in `then`, and nowhere else. */
function isFollowedThen(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): boolean {
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'then') return false
  const callback = isCallee(node) ? (node.parent as ts.CallExpression).arguments[0] : undefined
  return (
    callback !== undefined &&
    (ts.isArrowFunction(callback) || ts.isFunctionExpression(callback)) &&
    callback.parameters[0]?.dotDotDotToken === undefined
  )
}

/** Returns the value of a promise that is passed to the callback of `then`. */
function promisedTo(node: ts.SignatureDeclaration, context: Context): Value | undefined {
  const { parent } = node
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression)) return
  if (parent.expression.name.text !== 'then') return
  const value = valueOf(parent.expression.expression, context)
  return value?.kind === 'promise' ? value.of : undefined
}
