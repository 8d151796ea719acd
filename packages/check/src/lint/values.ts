import type { Node, RuleContext, Scope, Variable } from './rule.ts'

/** Follows expressions to the literals of the same file that they may evaluate to. */
export interface Values {
  /** Returns literals, objects, arrays and functions that an expression may evaluate to. */
  readonly of: (node: Node) => readonly Node[]
  /** Returns the variable of an identifier in a script or template. */
  readonly variableOf: (node: Node) => Variable | undefined
}

/** Longer chains of variables are not followed. */
const maxDepth = 12

export function createValues({ sourceCode }: RuleContext): Values {
  const isVue = sourceCode.parserServices.defineTemplateBodyVisitor !== undefined
  const memo = new Map<Node, readonly Node[]>()

  /** Scope that the template of a Vue component sees. */
  const scriptScope = (): Scope | undefined => {
    const scopes = sourceCode.scopeManager?.scopes
    return scopes?.find(({ type }) => type === 'module') ?? scopes?.[0]
  }

  const variableOf = (node: Node): Variable | undefined => {
    const name = node['name'] as string
    const isInTemplate = isVue && isWithinVueTemplate(node)
    if (isInTemplate && vueVariableOf(node)) return undefined
    let scope: Scope | null | undefined = isInTemplate ? scriptScope() : sourceCode.getScope(node)
    for (; scope; scope = scope.upper) {
      const found = scope.set.get(name)
      if (found) return found
    }
    return undefined
  }

  const of = (node: Node, depth = 0): readonly Node[] => {
    const known = memo.get(node)
    if (known || depth > maxDepth) return known ?? []
    // Ends cycles such as `const a = b, b = a`.
    memo.set(node, [])
    const found = [...new Set(find(node, depth + 1))]
    memo.set(node, found)
    return found
  }

  const all = (nodes: readonly Node[], depth: number): readonly Node[] =>
    nodes.flatMap((one) => of(one, depth))

  const find = (node: Node, depth: number): readonly Node[] => {
    switch (node.type) {
      case 'ConditionalExpression':
        return all([node['consequent'] as Node, node['alternate'] as Node], depth)
      case 'LogicalExpression': {
        const { left, operator, right } = node as unknown as Record<'left' | 'right', Node> & {
          operator: string
        }
        return all(operator === '&&' ? [right] : [left, right], depth)
      }
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ChainExpression':
        return of(node['expression'] as Node, depth)
      case 'Identifier': {
        const iterated = isVue ? vueVariableOf(node) : undefined
        if (iterated) {
          const { list, path } = iterated
          return list ? select(elementsOf(of(list, depth), depth), path, depth) : []
        }
        const variable = variableOf(node)
        return variable?.defs.length === 1 ? definition(variable.defs[0]!, depth) : []
      }
      case 'MemberExpression': {
        const { object, property, computed } = node as unknown as {
          object: Node
          property: Node
          computed: boolean
        }
        const name = computed ? textOf(property) : (property['name'] as string | undefined)
        return select(of(object, depth), [name], depth)
      }
      case 'CallExpression':
        return call(node, depth)
      default:
        return [node]
    }
  }

  /** Follows functions that return what they are given: `ref('x')`, `computed(() => 'x')`. */
  const call = (node: Node, depth: number): readonly Node[] => {
    const { callee } = node as unknown as { callee: Node }
    const [argument] = node['arguments'] as Node[]
    const name = (callee.type === 'MemberExpression' ? callee['property'] : callee)[
      'name'
    ] as string
    if (!argument || !transparent.has(name)) return []
    return isFunction(argument) ? all(returned(argument), depth) : of(argument, depth)
  }

  const definition = (
    { type, node, name }: Variable['defs'][number],
    depth: number,
  ): readonly Node[] => {
    const { path, defaults, root } = patternOf(name)
    const preset = all(defaults, depth)
    if (type === 'Variable' && root.parent?.type === 'VariableDeclarator') {
      const init = root.parent['init'] as Node | null
      return init ? [...preset, ...select(of(init, depth), path, depth)] : preset
    }
    if (root.parent?.type === 'SvelteEachBlock' && root.parent['context'] === root) {
      const list = root.parent['expression'] as Node
      return [...preset, ...select(elementsOf(of(list, depth), depth), path, depth)]
    }
    if (type !== 'Parameter' || !isFunction(node)) return preset
    const caller = node.parent
    const callee = caller?.type === 'CallExpression' ? (caller['callee'] as Node) : undefined
    const isIteration =
      node['params'][0] === root &&
      callee?.type === 'MemberExpression' &&
      iterations.has(callee['property']['name'] as string)
    if (!isIteration) return preset
    const list = elementsOf(of(callee['object'] as Node, depth), depth)
    return [...preset, ...select(list, path, depth)]
  }

  /** Returns the values of a path of properties; `undefined` matches any property. */
  const select = (
    values: readonly Node[],
    path: readonly (string | undefined)[],
    depth: number,
  ): readonly Node[] =>
    path.reduce<readonly Node[]>((found, name) => {
      return found.flatMap((value) => {
        if (value.type === 'ArrayExpression') {
          return name === undefined || /^\d+$/.test(name) ? elementsOf([value], depth) : []
        }
        // The value of a ref is followed already.
        if (value.type !== 'ObjectExpression')
          return name === 'value' || name === '0' ? [value] : []
        const properties = (value['properties'] as Node[]).filter(
          (one) => one.type === 'Property' && (name === undefined || keyOf(one) === name),
        )
        if (properties.length === 0 && name === 'value') return [value]
        return properties.flatMap((one) => of(one['value'] as Node, depth))
      })
    }, values)

  const elementsOf = (values: readonly Node[], depth: number): readonly Node[] =>
    values.flatMap((value) =>
      value.type === 'ArrayExpression'
        ? (value['elements'] as (Node | null)[]).flatMap((one) => (one ? of(one, depth) : []))
        : [],
    )

  return { of: (node) => of(node), variableOf }
}

const transparent = new Set([
  '$derived',
  '$state',
  'by',
  'computed',
  'createMemo',
  'createSignal',
  'reactive',
  'readonly',
  'ref',
  'shallowRef',
  'useMemo',
  'useState',
  'freeze',
])

const iterations = new Set(['map', 'flatMap', 'forEach', 'filter'])

export const isFunction = (node: Node): boolean =>
  node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'

/** Returns the expressions that a short function returns. */
function returned(node: Node): readonly Node[] {
  const body = node['body'] as Node
  if (body.type !== 'BlockStatement') return [body]
  return (body['body'] as Node[]).flatMap((one) =>
    one.type === 'ReturnStatement' && one['argument'] ? [one['argument'] as Node] : [],
  )
}

/** Returns the key of a property; undefined if it is computed. */
export function keyOf(property: Node): string | undefined {
  const key = property['key'] as Node
  if (!property['computed'] && key.type === 'Identifier') return key['name'] as string
  return textOf(key)
}

/** Returns the text of a string literal or of a template without expressions. */
export function textOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') {
    return typeof node['value'] === 'string' ? node['value'] : undefined
  }
  const isPlain = node?.type === 'TemplateLiteral' && (node['expressions'] as Node[]).length === 0
  return isPlain ? (node['quasis'][0]['value']['cooked'] as string) : undefined
}

/** Returns the operands of a concatenation, or the node itself. Iterative: there may be thousands. */
export function operandsOf(node: Node): readonly Node[] {
  const operands: Node[] = []
  let at = node
  for (; at.type === 'BinaryExpression' && at['operator'] === '+'; at = at['left'] as Node) {
    operands.push(at['right'] as Node)
  }
  return [...operands, at].reverse()
}

interface Binding {
  readonly path: readonly (string | undefined)[]
  readonly defaults: readonly Node[]
  /** Outermost pattern. */
  readonly root: Node
}

/** Returns the way from a destructuring pattern to one of its identifiers. */
function patternOf(name: Node): Binding {
  const path: (string | undefined)[] = []
  const defaults: Node[] = []
  let node = name
  for (let { parent } = node; parent; { parent } = node) {
    if (parent.type === 'AssignmentPattern' && parent['left'] === node) {
      if (node === name) defaults.push(parent['right'] as Node)
    } else if (parent.type === 'Property' && parent['value'] === node && isPattern(parent.parent)) {
      path.unshift(keyOf(parent))
    } else if (parent.type === 'ArrayPattern') {
      path.unshift(String((parent['elements'] as Node[]).indexOf(node)))
    } else if (parent.type !== 'ObjectPattern') break
    node = parent
  }
  return { path, defaults, root: node }
}

const isPattern = (node: Node | null | undefined): boolean => node?.type === 'ObjectPattern'

/** Returns whether a node is within the template of a Vue component. */
function isWithinVueTemplate(node: Node): boolean {
  for (let at: Node | null | undefined = node; at; at = at.parent) {
    if (at.type === 'VExpressionContainer') return true
    if (isFunction(at)) continue
    if (at.type.endsWith('Statement') || at.type === 'Program') return false
  }
  return false
}

interface TemplateVariable {
  /** List that `v-for` iterates; undefined for the variable of a slot and for an index. */
  readonly list?: Node
  readonly path: Binding['path']
}

/** Returns the variable that a template of Vue declares for an identifier. */
function vueVariableOf(id: Node): TemplateVariable | undefined {
  for (let at: Node | null | undefined = id; at; at = at.parent) {
    if (at.type !== 'VElement') continue
    const variable = (at['variables'] as readonly { id: Node }[]).find(
      (one) => one.id['name'] === id['name'],
    )
    if (!variable) continue
    const { path, root } = patternOf(variable.id)
    const loop = root.parent
    const isItem = loop?.type === 'VForExpression' && loop['left'][0] === root
    return isItem ? { list: loop['right'] as Node, path } : { path }
  }
  return undefined
}
