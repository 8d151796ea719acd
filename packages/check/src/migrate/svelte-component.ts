import { type Component, namesIn, type Range } from './component.ts'

/** Used part of `svelte/compiler`. */
interface SvelteCompiler {
  readonly parse: (text: string, options: { readonly modern: true }) => SvelteRoot
}
interface SvelteRoot {
  readonly fragment: Node
  readonly instance: Script | null
  readonly module: Script | null
}
interface Script {
  readonly content: Range
}
interface Node extends Range {
  readonly type: string
  readonly name?: unknown
}

/** Template node properties that declare names, by node type. */
const declaring: Readonly<Record<string, readonly string[]>> = {
  EachBlock: ['context'],
  AwaitBlock: ['value', 'error'],
  SnippetBlock: ['expression', 'parameters'],
  LetDirective: ['expression'],
}

/** @throws Error for a component that Svelte cannot parse. */
export function readSvelte({ parse }: SvelteCompiler, text: string): Component {
  const root = parse(text, { modern: true })
  const calls = new Set<string>()
  const names = new Set<string>()
  const declare = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(declare)
    else if (isNode(value))
      for (const name of namesIn(text.slice(value.start, value.end))) names.add(name)
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== 'object' || value === null) return
    if (isNode(value)) {
      if (value.type === 'CallExpression') calls.add(`${value.start}-${value.end}`)
      const parts = value as unknown as Record<string, unknown>
      if (value.type === 'ConstTag') declare(declaredBy(parts))
      for (const part of declaring[value.type] ?? []) declare(parts[part])
      if (value.type === 'EachBlock' && typeof parts['index'] === 'string')
        names.add(parts['index'])
      if (/^(?:Component|LetDirective)$/.test(value.type)) names.add(String(value.name))
    }
    for (const [key, inner] of Object.entries(value)) if (key !== 'metadata') visit(inner)
  }
  visit(root.fragment)
  const range = (script: Script | null): readonly Range[] =>
    script ? [{ start: script.content.start, end: script.content.end }] : []
  const [instance] = range(root.instance)
  return {
    scripts: [...range(root.module), ...range(root.instance)],
    importTarget: instance ?? range(root.module)[0],
    showsImports: true,
    hasOwnMessages: false,
    translationElements: [],
    isInTemplate: ({ start, end }) => calls.has(`${start}-${end}`),
    names,
  }
}

/** Returns the patterns declared by `{@const a = b}`. */
const declaredBy = ({ declaration }: Record<string, unknown>): unknown =>
  ((declaration as { declarations?: readonly { id: unknown }[] }).declarations ?? []).map(
    ({ id }) => id,
  )

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  'start' in value &&
  'end' in value
