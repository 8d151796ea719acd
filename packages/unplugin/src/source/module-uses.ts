import type { ESTree } from 'vite'
import { modulePrefix } from '../core/ids.ts'
import { createScopes, type Variable } from './scopes.ts'
import { isTypeOnly, type Node, stringOf, walk } from './syntax-tree.ts'

/** Use of a name of a key module in a source file. */
interface NameUse {
  /** Specifier of the module as written in the file: `~uilm/auth`. */
  readonly specifier: string
  readonly name: string
  /** Position in the file. */
  readonly start: number
}

/** Uses of key modules in a source file. */
export interface ModuleUses {
  /** Names in lists of imports and exports, and members of whole modules. Types are left out. */
  readonly names: readonly NameUse[]
  /** Specifiers of the modules that the file may use as a whole, in any way. */
  readonly whole: ReadonlySet<string>
  /** Specifiers of the modules in which the file looks up messages by run-time names. */
  readonly lookups: ReadonlySet<string>
}

/** Value of an expression, as far as it leads to a key module. */
type Value =
  | { readonly kind: 'module'; readonly specifier: string }
  | { readonly kind: 'promise'; readonly result: Value }
  | { readonly kind: 'function'; readonly call: () => Value | undefined }
  | { readonly kind: 'object'; readonly get: (name: string) => Value | undefined }

type GetValue = () => Value | undefined

/**
 * Finds the names that a file uses of key modules:
 *
 * ```js
 * import { SIGN_IN } from '~uilm/auth'
 * auth.SIGN_IN() // with `import * as auth from '~uilm/auth'`
 * const { SIGN_IN } = await import('~uilm/auth')
 * ```
 *
 * Follows a module through variables, objects, promises and functions of the file, if there is no
 * doubt about their values, and not into other files or parameters.
 */
export function findModuleUses(program: ESTree.Program): ModuleUses {
  const resolve = createScopes(program)
  /** Values that are assigned to a variable; one that is not known is undefined. */
  const assigned = new Map<Variable, GetValue[]>()
  const patterns: (readonly [Extract<Node, { type: 'ObjectPattern' }>, GetValue])[] = []
  const whole = new Set<string>()
  const lookups = new Set<string>()
  const names: NameUse[] = []

  const assign = (target: Node, value: GetValue): void => {
    switch (target.type) {
      case 'Identifier': {
        const variable = resolve(target.name, target)
        if (!variable) return
        const values = assigned.get(variable) ?? []
        assigned.set(variable, values)
        values.push(value)
        return
      }
      case 'AssignmentPattern':
        return assign(target.left, value)
      case 'ObjectPattern':
        patterns.push([target, value])
        for (const property of target.properties) {
          if (property.type === 'RestElement') assign(property.argument, unknown)
          else assign(property.value, () => memberOf(value(), keyOf(property)))
        }
        return
      case 'ArrayPattern':
        target.elements.forEach((element, index) => {
          if (element) assign(element, () => memberOf(value(), String(index)))
        })
        return
      case 'RestElement':
        return assign(target.argument, unknown)
      case 'MemberExpression':
        // The object has another value than its declaration says.
        return target.object.type === 'Identifier' ? assign(target.object, unknown) : undefined
    }
  }

  /** Records the values of variables and the specifiers of modules. */
  const collect = (node: Node, parent: Node | undefined): boolean | void => {
    const text = stringOf(node)
    if (text?.startsWith(modulePrefix)) whole.add(text)
    switch (node.type) {
      case 'ImportDeclaration':
        return collectImport(node)
      case 'ExportNamedDeclaration':
        if (!node.source) return
        for (const one of isTypeOnly(node) ? [] : node.specifiers) {
          if (!isTypeOnly(one)) use(node.source.value, one.local)
        }
        return false
      case 'ExportAllDeclaration':
        return !isTypeOnly(node)
      case 'TSImportEqualsDeclaration': {
        const { moduleReference } = node
        if (moduleReference.type !== 'TSExternalModuleReference') return
        return assign(node.id, () => moduleOf(moduleReference.expression))
      }
      case 'VariableDeclarator':
        return node.init ? assign(node.id, () => evaluate(node.init!)) : undefined
      case 'AssignmentExpression': {
        const isPlain = /^(?:\?\?|\|\||&&)?=$/.test(node.operator)
        return assign(node.left, isPlain ? () => evaluate(node.right) : unknown)
      }
      case 'ForInStatement':
      case 'ForOfStatement': {
        const { left } = node
        return assign(
          left.type === 'VariableDeclaration' ? left.declarations[0]!.id : left,
          unknown,
        )
      }
      case 'FunctionDeclaration':
        if (node.id) assign(node.id, () => evaluate(node as Node))
        return collectParameters(node, parent)
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return collectParameters(node, parent)
    }
  }

  const collectImport = (node: ESTree.ImportDeclaration): boolean => {
    const specifier = node.source.value
    if (isTypeOnly(node) || !specifier.startsWith(modulePrefix)) return false
    for (const one of node.specifiers) {
      if (one.type === 'ImportSpecifier' && !isTypeOnly(one)) use(specifier, one.imported)
      if (one.type !== 'ImportNamespaceSpecifier') continue
      whole.add(specifier)
      assign(one.local, () => ({ kind: 'module', specifier }))
    }
    return false
  }

  /** The parameter of `loaded.then((cart) => …)` is known; those of other functions are not. */
  const collectParameters = (node: FunctionNode, parent: Node | undefined): void => {
    node.params.forEach((parameter, index) => {
      const promise = index === 0 ? promiseOfCallback(node as Node, parent) : undefined
      assign(parameter as Node, promise ? () => awaited(evaluate(promise)) : unknown)
    })
  }

  const use = (specifier: string, name: Node): void => {
    if (!specifier.startsWith(modulePrefix)) return
    const text = name.type === 'Identifier' ? name.name : stringOf(name)
    if (text === undefined) return
    names.push({ specifier, name: text, start: name.start + (name.type === 'Identifier' ? 0 : 1) })
  }

  const values = new Map<Variable, Value | undefined>()
  const valueOf = (variable: Variable | undefined): Value | undefined => {
    if (!variable || values.has(variable)) return variable && values.get(variable)
    // A variable that is assigned to itself has no known value.
    values.set(variable, undefined)
    const [first, ...others] = (assigned.get(variable) ?? []).map((get) => get())
    const value = others.every((other) => isSameModule(other, first)) ? first : undefined
    values.set(variable, value)
    return value
  }

  const results = new Map<Node, Value | undefined>()
  const evaluate = (node: Node): Value | undefined => {
    if (results.has(node)) return results.get(node)
    // An expression that leads to itself, as in a recursive function, has no known value.
    results.set(node, undefined)
    const value = evaluateOnce(node)
    results.set(node, value)
    return value
  }

  const evaluateOnce = (node: Node): Value | undefined => {
    switch (node.type) {
      case 'Identifier':
        return valueOf(resolve(node.name, node))
      case 'ParenthesizedExpression':
      case 'ChainExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
        return evaluate(node.expression)
      case 'AwaitExpression':
        return awaited(evaluate(node.argument))
      case 'ImportExpression':
        return promiseOf(moduleOf(node.source))
      case 'CallExpression':
        return evaluateCall(node)
      case 'MemberExpression':
        return evaluateMember(node)
      case 'ObjectExpression':
        return objectOf(node)
      case 'ArrayExpression':
        return listOf(node, (value) => value)
      case 'SequenceExpression':
        return evaluate(node.expressions.at(-1)!)
      case 'ConditionalExpression': {
        const value = evaluate(node.consequent)
        return isSameModule(value, evaluate(node.alternate)) ? value : undefined
      }
      case 'LogicalExpression':
        // Modules are truthy: `cart ?? {}`, `isOpen && cart`.
        return evaluate(node.operator === '&&' ? node.right : node.left)
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return { kind: 'function', call: () => resultOf(node as FunctionNode) }
      default:
        return undefined
    }
  }

  const evaluateCall = ({ callee, arguments: list }: ESTree.CallExpression): Value | undefined => {
    const [first] = list
    if (callee.type === 'Identifier' && callee.name === 'require') {
      return first && !resolve(callee.name, callee) ? moduleOf(first) : undefined
    }
    if (isPromiseAll(callee) && first?.type === 'ArrayExpression') {
      return promiseOf(listOf(first, awaited))
    }
    const called = evaluate(callee)
    if (called?.kind === 'function') return called.call()
    return callee.type === 'MemberExpression' ? evaluatePromiseMethod(callee, first) : undefined
  }

  /** Returns the value of `loaded.then(callback)`, `loaded.catch(callback)` or `loaded.finally(callback)`. */
  const evaluatePromiseMethod = (
    callee: ESTree.MemberExpression,
    callback: Node | undefined,
  ): Value | undefined => {
    const method = memberName(callee)
    if (method === 'then') {
      const value = callback && evaluate(callback)
      return value?.kind === 'function' ? promiseOf(awaited(value.call())) : undefined
    }
    if (method !== 'catch' && method !== 'finally') return undefined
    const value = evaluate(callee.object)
    return value?.kind === 'promise' ? value : undefined
  }

  const evaluateMember = (node: ESTree.MemberExpression): Value | undefined => {
    const { object } = node
    const name = memberName(node)
    if (object.type === 'Identifier' && object.name === vueScope && name !== undefined) {
      return valueOf(resolve(name, program))
    }
    return memberOf(evaluate(object), name)
  }

  const listOf = (
    { elements }: ESTree.ArrayExpression,
    read: (value: Value | undefined) => Value | undefined,
  ): Value => ({
    kind: 'object',
    get(index) {
      // The elements of another list move those after it.
      const before = elements.slice(0, Number(index) + 1)
      const element = before.some((one) => one?.type === 'SpreadElement')
        ? undefined
        : before[Number(index)]
      return element ? read(evaluate(element)) : undefined
    },
  })

  const objectOf = ({ properties }: ESTree.ObjectExpression): Value => ({
    kind: 'object',
    get(name) {
      // Properties of another object may replace the others.
      if (properties.some(({ type }) => type === 'SpreadElement')) return undefined
      const property = properties.find((one) => one.type === 'Property' && keyOf(one) === name)
      return property?.type === 'Property' && property.kind === 'init'
        ? evaluate(property.value)
        : undefined
    },
  })

  /** Returns the value of a function that only returns an expression. */
  const resultOf = ({ body, async: isAsync, generator }: FunctionNode): Value | undefined => {
    if (!body || generator) return undefined
    const only = body.type === 'BlockStatement' ? body.body[0] : undefined
    const returned =
      body.type !== 'BlockStatement'
        ? body
        : only?.type === 'ReturnStatement'
          ? only.argument
          : undefined
    const value = returned ? evaluate(returned) : undefined
    return isAsync ? promiseOf(awaited(value)) : value
  }

  walk(program, collect)
  walk(program, (node) => {
    if (node.type === 'MemberExpression') {
      const value = evaluate(node.object)
      if (value?.kind !== 'module') return
      if (memberName(node) === undefined) lookups.add(value.specifier)
      else use(value.specifier, node.property)
    } else if (node.type === 'JSXMemberExpression' && node.object.type === 'JSXIdentifier') {
      const value = valueOf(resolve(node.object.name, node))
      if (value?.kind !== 'module') return
      const { name, start } = node.property
      names.push({ specifier: value.specifier, name, start })
    }
  })
  for (const [{ properties }, getValue] of patterns) {
    const value = getValue()
    for (const property of value?.kind === 'module' ? properties : []) {
      if (property.type === 'RestElement' || keyOf(property) === undefined) continue
      use((value as { readonly specifier: string }).specifier, property.key)
    }
  }
  return { names: names.sort((a, b) => a.start - b.start), whole, lookups }
}

type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression

/**
 * Object through which the templates of Vue, compiled for development, use the variables of
 * their script.
 */
const vueScope = '$setup'

const unknown: GetValue = () => undefined

const promiseOf = (result: Value | undefined): Value | undefined =>
  result && { kind: 'promise', result }

const awaited = (value: Value | undefined): Value | undefined =>
  value?.kind === 'promise' ? value.result : value

const memberOf = (value: Value | undefined, name: string | undefined): Value | undefined =>
  value?.kind === 'object' && name !== undefined ? value.get(name) : undefined

const isSameModule = (a: Value | undefined, b: Value | undefined): boolean =>
  a?.kind === 'module' && b?.kind === 'module' && a.specifier === b.specifier

/** Returns the module of an `import()` or `require()`. */
function moduleOf(node: Node): Value | undefined {
  const specifier = stringOf(node)
  return specifier?.startsWith(modulePrefix) ? { kind: 'module', specifier } : undefined
}

const keyOf = ({ key, computed }: { readonly key: Node; readonly computed: boolean }) =>
  !computed && key.type === 'Identifier' ? key.name : stringOf(key)

const memberName = ({ property, computed }: ESTree.MemberExpression): string | undefined =>
  !computed && property.type === 'Identifier' ? property.name : stringOf(property)

const isPromiseAll = (callee: Node): boolean =>
  callee.type === 'MemberExpression' &&
  callee.object.type === 'Identifier' &&
  callee.object.name === 'Promise' &&
  memberName(callee) === 'all'

/** Returns the promise that calls a function: `loaded` of `loaded.then((cart) => …)`. */
function promiseOfCallback(node: Node, parent: Node | undefined): Node | undefined {
  if (parent?.type !== 'CallExpression' || parent.arguments[0] !== node) return undefined
  const { callee } = parent
  const isThen = callee.type === 'MemberExpression' && memberName(callee) === 'then'
  return isThen ? callee.object : undefined
}
