import type { Node, RuleContext, Visitor } from './rule.ts'

/** Text, expression or element within an element or attribute. */
export type Part =
  | { readonly kind: 'text'; readonly node: Node; readonly text: string }
  | { readonly kind: 'expression'; readonly node: Node; readonly expression: Node }
  | { readonly kind: 'element'; readonly node: Node }

export interface TemplateAttribute {
  readonly name: string
  readonly node: Node
  readonly parts: readonly Part[]
}

/** Element or block of JSX, Vue or Svelte. */
export interface TemplateElement {
  readonly node: Node
  /** Empty for a fragment or block. */
  readonly name: string
  readonly isComponent: boolean
  readonly attributes: readonly TemplateAttribute[]
  readonly children: readonly Part[]
}

/**
 * Returns a visitor of the elements of JSX, Vue and Svelte, outer ones first, together with a
 * visitor of the expressions of script and template.
 */
export function visitTemplates(
  context: RuleContext,
  onElement: (element: TemplateElement) => void,
  script: Visitor,
): Visitor {
  const jsx: Visitor = {
    JSXElement: (node) => onElement(jsxElement(node)),
    JSXFragment: (node) => onElement(block(node, node['children'])),
  }
  const svelte: Visitor = {
    Program: (node) => onElement(block(node, node['body'])),
    SvelteElement: (node) => onElement(svelteElement(node)),
    ...Object.fromEntries(svelteBlocks.map((type) => [type, visitBlock])),
  }
  function visitBlock(node: Node): void {
    onElement(block(node, node['children']))
  }
  const isSvelte = context.filename.endsWith('.svelte')
  const own = joinVisitors(isSvelte ? svelte : jsx, script)
  const vue = context.sourceCode.parserServices.defineTemplateBodyVisitor
  if (!vue) return own
  return vue(joinVisitors({ VElement: (node) => onElement(vueElement(node)) }, script), own)
}

function joinVisitors(...visitors: readonly Visitor[]): Visitor {
  const joined: Record<string, (node: Node) => void> = {}
  for (const [type, visit] of visitors.flatMap((one) => Object.entries(one))) {
    const before = joined[type]
    joined[type] = before
      ? (node) => {
          before(node)
          visit(node)
        }
      : visit
  }
  return joined
}

const svelteBlocks = [
  'SvelteIfBlock',
  'SvelteElseBlock',
  'SvelteEachBlock',
  'SvelteAwaitPendingBlock',
  'SvelteAwaitThenBlock',
  'SvelteAwaitCatchBlock',
  'SvelteKeyBlock',
  'SvelteSnippetBlock',
]

const block = (node: Node, children: readonly Node[]): TemplateElement => ({
  node,
  name: '',
  isComponent: false,
  attributes: [],
  children: children.flatMap(partOf),
})

/** Returns the part for a child of an element or a value of an attribute in any of the syntaxes. */
function partOf(node: Node): readonly Part[] {
  switch (node.type) {
    case 'JSXText':
    case 'VText':
    case 'VLiteral':
    case 'SvelteText':
    case 'SvelteLiteral':
      return [{ kind: 'text', node, text: node['value'] as string }]
    case 'Literal':
      return [{ kind: 'text', node, text: String(node['value']) }]
    case 'JSXExpressionContainer':
    case 'VExpressionContainer':
    case 'SvelteMustacheTag': {
      const expression = node['expression'] as Node | null
      if (!expression || expression.type === 'JSXEmptyExpression') return []
      return [{ kind: 'expression', node, expression }]
    }
    case 'JSXElement':
    case 'JSXFragment':
    case 'VElement':
    case 'SvelteElement':
      return [{ kind: 'element', node }]
    default:
      return []
  }
}

const isUpperCase = (name: string): boolean => /^[A-Z]|\./.test(name)

function jsxElement(node: Node): TemplateElement {
  const opening = node['openingElement'] as Node
  const name = jsxName(opening['name'] as Node)
  return {
    node,
    name,
    isComponent: isUpperCase(name),
    attributes: (opening['attributes'] as Node[]).flatMap((attribute): TemplateAttribute[] => {
      const value = attribute['value'] as Node | null | undefined
      if (attribute.type !== 'JSXAttribute' || !value) return []
      return [{ name: jsxName(attribute['name'] as Node), node: attribute, parts: partOf(value) }]
    }),
    children: (node['children'] as Node[]).flatMap(partOf),
  }
}

function jsxName(node: Node): string {
  if (node.type === 'JSXMemberExpression') {
    return `${jsxName(node['object'] as Node)}.${jsxName(node['property'] as Node)}`
  }
  if (node.type === 'JSXNamespacedName') {
    return `${jsxName(node['namespace'] as Node)}:${jsxName(node['name'] as Node)}`
  }
  return node['name'] as string
}

function vueElement(node: Node): TemplateElement {
  const name = node['rawName'] as string
  return {
    node,
    name,
    isComponent: isUpperCase(name) || name.includes('-'),
    attributes: (node['startTag']['attributes'] as Node[]).flatMap(vueAttribute),
    // Raw text of `<style>` and `<script>` within templates is not shown to users.
    children: (node['children'] as Node[]).flatMap(partOf),
  }
}

function vueAttribute(node: Node): readonly TemplateAttribute[] {
  const value = node['value'] as Node | null
  if (!node['directive']) {
    const name = node['key']['rawName'] as string
    return [{ name, node, parts: value ? partOf(value) : [] }]
  }
  const directive = node['key']['name']['name'] as string
  const argument = node['key']['argument'] as Node | null
  if (directive !== 'bind')
    return [{ name: `v-${directive}`, node, parts: value ? partOf(value) : [] }]
  if (argument?.type !== 'VIdentifier' || !value) return []
  return [{ name: argument['rawName'] as string, node, parts: partOf(value) }]
}

function svelteElement(node: Node): TemplateElement {
  const name = svelteName(node['name'] as Node)
  return {
    node,
    name,
    isComponent: node['kind'] === 'component' || isUpperCase(name),
    attributes: (node['startTag']['attributes'] as Node[]).flatMap(
      (attribute): TemplateAttribute[] => {
        const name = attribute['key']?.['name'] as unknown
        if (typeof name !== 'string') return []
        if (attribute.type === 'SvelteShorthandAttribute') {
          const expression = attribute['value'] as Node
          const parts: Part[] = [{ kind: 'expression', node: attribute, expression }]
          return [{ name, node: attribute, parts }]
        }
        if (attribute.type !== 'SvelteAttribute') return []
        return [{ name, node: attribute, parts: (attribute['value'] as Node[]).flatMap(partOf) }]
      },
    ),
    children: (node['children'] as Node[]).flatMap(partOf),
  }
}

function svelteName(node: Node): string {
  if (node.type !== 'SvelteMemberExpressionName') return node['name'] as string
  return `${svelteName(node['object'] as Node)}.${node['property'] as string}`
}

/** Returns the text of an attribute without expressions; undefined if there is none. */
export function staticValue(element: TemplateElement, name: string): string | undefined {
  const attribute = element.attributes.find((one) => one.name === name)
  const [part, ...more] = attribute?.parts ?? []
  return part?.kind === 'text' && more.length === 0 ? part.text : undefined
}
