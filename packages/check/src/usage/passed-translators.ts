import { ts } from 'ts-morph'
import type { FunctionNode } from './functions.ts'
import { valueOf } from './evaluate.ts'
import type { ReadFile } from './read-file.ts'
import { property, unwrap } from './possible-strings.ts'
import { type Binding, propertyName } from './scopes.ts'
import type { Argument, Context, Value } from './value.ts'

/** File whose functions and calls are followed. */
interface FollowedFile {
  readonly path: string
  readonly read: ReadFile
  readonly context: Context
}

/** Call of a function, or element of a component. */
interface Site {
  readonly node: ts.CallExpression | ts.JsxOpeningElement | ts.JsxSelfClosingElement
  readonly context: Context
  readonly isTest: boolean
}

export interface PassedTranslators {
  /** Returns the `t` that every call passes for a parameter; undefined if it may be another one. */
  readonly valueOf: (parameter: Parameter) => Value | undefined
  /** See {@link Context.argumentsOf}. */
  readonly argumentsOf: Context['argumentsOf']
  /** Returns the expressions that pass a `t` of a package in a file. */
  readonly passedIn: (path: string) => ReadonlyMap<ts.Node, string>
}

type Parameter = NonNullable<(Binding & { readonly kind: 'opaque' })['parameter']>

/**
 * Follows `t` into the functions and components that it is passed to: `createColumns({ t })`,
 * `<Header t={t} />`. A function that is also used in other ways may be called with another `t`.
 */
export function readPassedTranslators(files: Iterable<FollowedFile>): PassedTranslators {
  const sites = new Map<string, Site[]>()
  const escaped = new Set<string>()
  const passed = new Map<string, Map<ts.Node, string>>()
  for (const { path, read, context } of files) {
    const inTest = isTest(path)
    const functionOf = (node: ts.Node): FunctionNode | undefined => {
      const isName = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)
      const value = isName ? valueOf(node, context) : undefined
      return value?.kind === 'function' ? value.node : undefined
    }
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
        return
      const target = calleeOf(node)
      const called = target && functionOf(target)
      if (called) {
        const key = keyOf(called)
        const site = { node: node as Site['node'], context, isTest: inTest }
        const known = sites.get(key)
        if (known) known.push(site)
        else sites.set(key, [site])
        const { t, value } = inTest ? {} : passedBy(site)
        if (t && value) passed.set(path, (passed.get(path) ?? new Map()).set(t, value))
      }
      ts.forEachChild(node, (child) => {
        if (child === target && called) return
        if (isReference(child) || ts.isPropertyAccessExpression(child)) {
          const other = functionOf(child)
          if (other && !inTest) escaped.add(keyOf(other))
        }
        visit(child)
      })
    }
    visit(read.source)
  }
  /** Parameters that are being followed. */
  const pending = new Set<string>()
  const passedTo = ({ node, path }: Parameter): Value | undefined => {
    const key = keyOf(node.parent as FunctionNode)
    const [name, ...deeper] = path
    // Tests pass functions of their own.
    const all = sites.get(key)?.filter((site) => !site.isTest)
    const id = `${key} ${node.pos} ${name}`
    if (!all?.length || escaped.has(key) || deeper.length > 0 || pending.has(id)) return undefined
    const index = (node.parent as FunctionNode).parameters.indexOf(node)
    pending.add(id)
    const values = all.map((site) => {
      const props = name === undefined ? undefined : spreadProps(site, name)
      if (props) return passedTo({ node: props, path: [name] })
      const t = argumentOf(site.node, index, path.length === 0 ? undefined : name)
      return t && valueOf(t, site.context)
    })
    pending.delete(id)
    const known = values.filter((one) => one?.kind !== 't' || !one.isUncalled)
    const [first = values[0]] = known
    const isSame = (one: Value | undefined): boolean =>
      one?.kind === 't' &&
      one.doubt === undefined &&
      first?.kind === 't' &&
      one.from === first.from &&
      one.prefix === first.prefix &&
      one.modules?.join('\n') === first.modules?.join('\n')
    return known.every(isSame) ? first : undefined
  }
  const argumentsOf: Context['argumentsOf'] = ({ node, path }) => {
    const key = keyOf(node.parent as FunctionNode)
    const [name, ...deeper] = path
    const all = sites.get(key)
    const id = `${key} ${node.pos} ${name}`
    if (!all || escaped.has(key) || deeper.length > 0 || pending.has(id)) return undefined
    const index = (node.parent as FunctionNode).parameters.indexOf(node)
    pending.add(id)
    const found = all.map((site): readonly Argument[] | undefined => {
      const props = name === undefined ? undefined : spreadProps(site, name)
      if (props) return argumentsOf({ node: props, path: [name] })
      const inner = path.length === 0 ? undefined : name
      const given = argumentOf(site.node, index, inner)
      // Tests may pass other objects, with the same keys.
      if (site.isTest && !(given && ts.isStringLiteralLike(given))) return []
      if (given) return [{ node: given, context: site.context }]
      return passesNothing(site.node, index, inner) ? [] : undefined
    })
    pending.delete(id)
    return found.every((one) => one !== undefined) ? found.flat() : undefined
  }
  return {
    valueOf: passedTo,
    argumentsOf,
    passedIn: (path) => passed.get(path) ?? new Map(),
  }
}

export const isTest = (path: string): boolean =>
  /\.(?:test|spec|cy)\.\w+$|(?:^|\/)__(?:tests|mocks)__\//.test(path)

/** Nodes of the same file may be parsed twice. */
const keyOf = (node: FunctionNode): string => `${node.getSourceFile().fileName}:${node.pos}`

/** Returns what a call calls, or the component of an element. */
function calleeOf(node: ts.Node): ts.Node | undefined {
  if (ts.isCallExpression(node)) return unwrap(node.expression)
  return ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node) ? node.tagName : undefined
}

/** Returns whether a node is a name that uses a value, other than in an export. */
function isReference(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node)) return false
  const { parent } = node
  return !(
    ts.isExportAssignment(parent) ||
    ts.isJsxClosingElement(parent) ||
    ('name' in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent))
  )
}

/** Returns the expression that a call passes for a parameter, or for a property of it. */
function argumentOf(
  node: Site['node'],
  index: number,
  name: string | undefined,
): ts.Expression | undefined {
  if (ts.isCallExpression(node)) {
    const given = node.arguments.slice(0, index + 1)
    const one = given.some(ts.isSpreadElement) ? undefined : given[index]
    if (name === undefined || !one) return one
    const object = unwrap(one)
    return ts.isObjectLiteralExpression(object) && !object.properties.some(ts.isSpreadAssignment)
      ? property(object, name)
      : undefined
  }
  const { properties } = node.attributes
  if (name === undefined || index > 0 || properties.some(ts.isJsxSpreadAttribute)) return undefined
  const attribute = properties.find(
    (one): one is ts.JsxAttribute => ts.isJsxAttribute(one) && one.name.getText() === name,
  )
  const value = attribute?.initializer
  return value && ts.isJsxExpression(value)
    ? value.expression
    : value && ts.isStringLiteral(value)
      ? value
      : undefined
}

/** Returns whether a call certainly passes nothing for a parameter, or for a property of it. */
function passesNothing(node: Site['node'], index: number, name: string | undefined): boolean {
  if (ts.isCallExpression(node)) {
    const given = node.arguments.slice(0, index + 1)
    const one = given[index]
    if (given.some(ts.isSpreadElement)) return false
    if (!one) return true
    const object = unwrap(one)
    return (
      name !== undefined &&
      ts.isObjectLiteralExpression(object) &&
      object.properties.every((each) => each.name && propertyName(each.name) !== undefined) &&
      !object.properties.some((each) => propertyName(each.name!) === name)
    )
  }
  const { properties } = node.attributes
  return (
    name !== 'children' &&
    properties.every((one) => ts.isJsxAttribute(one) && one.name.getText() !== name)
  )
}

/** Returns the parameter whose properties an element gets: `<Sheet {...props} open />`. */
function spreadProps({ node, context }: Site, name: string): ts.ParameterDeclaration | undefined {
  if (ts.isCallExpression(node)) return undefined
  const [first, ...others] = node.attributes.properties
  if (!first || !ts.isJsxSpreadAttribute(first) || !ts.isIdentifier(first.expression)) {
    return undefined
  }
  const isOnly = others.every((one) => ts.isJsxAttribute(one) && one.name.getText() !== name)
  const binding = context.scopeOf(first.expression).find(first.expression.text)
  const parameter = binding?.kind === 'opaque' ? binding.parameter : undefined
  return isOnly && parameter?.path.length === 0 ? parameter.node : undefined
}

/** Returns the `t` that a call or an element passes, with its package. */
function passedBy({ node, context }: Site): { readonly t?: ts.Node; readonly value?: string } {
  const candidates = ts.isCallExpression(node)
    ? node.arguments.flatMap((one): readonly ts.Expression[] => {
        const object = unwrap(one)
        return ts.isObjectLiteralExpression(object)
          ? object.properties.flatMap((each) =>
              ts.isPropertyAssignment(each)
                ? [each.initializer]
                : ts.isShorthandPropertyAssignment(each)
                  ? [each.name]
                  : [],
            )
          : [one]
      })
    : node.attributes.properties.flatMap((one) =>
        ts.isJsxAttribute(one) &&
        one.initializer &&
        ts.isJsxExpression(one.initializer) &&
        one.initializer.expression
          ? [one.initializer.expression]
          : [],
      )
  for (const t of candidates) {
    const value = ts.isIdentifier(t) ? valueOf(t, context) : undefined
    if (value?.kind === 't' && value.from !== undefined) return { t, value: value.from }
  }
  return {}
}
