import { docsUrl } from '@servicekit/core'

/**
 * Node of an abstract syntax tree. Loosely typed: ESLint, TypeScript, Vue and Svelte have
 * parsers with different types, and rules meet the nodes of all of them.
 */
export interface Node {
  readonly type: string
  readonly range: readonly [number, number]
  readonly parent?: Node | null
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly [property: string]: any
}

/** Part of ESLint's scope analysis that the rules use. */
export interface Scope {
  readonly type: string
  readonly upper: Scope | null
  readonly set: ReadonlyMap<string, Variable>
}

export interface Variable {
  readonly name: string
  readonly defs: readonly { readonly type: string; readonly node: Node; readonly name: Node }[]
}

export interface SourceCode {
  readonly text: string
  readonly ast: Node
  readonly scopeManager: { readonly scopes: readonly Scope[] } | null
  readonly parserServices: {
    readonly defineTemplateBodyVisitor?: (template: Visitor, script?: Visitor) => Visitor
  }
  getScope(node: Node): Scope
  getText(node: Node): string
  getLocFromIndex(index: number): Position
}

interface Position {
  readonly line: number
  readonly column: number
}

export interface Edit {
  readonly range: readonly [number, number]
  readonly text: string
}

export interface Fixer {
  replaceTextRange(range: readonly [number, number], text: string): Edit
}

export interface Report {
  readonly loc: { readonly start: Position; readonly end: Position }
  readonly messageId: string
  readonly data?: Readonly<Record<string, string>>
  readonly fix?: ((fixer: Fixer) => readonly Edit[]) | null
  readonly suggest?: readonly {
    readonly messageId: string
    readonly data?: Readonly<Record<string, string>>
    readonly fix: (fixer: Fixer) => readonly Edit[]
  }[]
}

/** Part of ESLint's and oxlint's rule context that the rules use. */
export interface RuleContext {
  readonly cwd: string
  readonly filename: string
  readonly options: readonly unknown[]
  readonly settings: Readonly<Record<string, unknown>>
  readonly sourceCode: SourceCode
  report(report: Report): void
}

export type Visitor = Readonly<Record<string, (node: Node) => void>>

/** Rule of ESLint and oxlint. */
export interface Rule {
  readonly meta: {
    readonly type: 'problem' | 'suggestion'
    readonly docs: { readonly description: string; readonly url?: string }
    readonly messages: Readonly<Record<string, string>>
    readonly schema: readonly object[]
    readonly defaultOptions?: readonly object[]
    readonly fixable?: 'code'
    readonly hasSuggestions?: boolean
  }
  create(context: RuleContext): Visitor
}

/** Returns the location of a range without the white space at its ends. */
export function locationOf(sourceCode: SourceCode, [start, end]: readonly [number, number]) {
  const text = sourceCode.text.slice(start, end)
  const from = start + text.length - text.trimStart().length
  const to = Math.max(from, end - (text.length - text.trimEnd().length))
  return { start: sourceCode.getLocFromIndex(from), end: sourceCode.getLocFromIndex(to) }
}

/** Returns the address of the documentation of a rule, if there is a documentation site. */
export const docsOf = (rule: string): { readonly url?: string } =>
  docsUrl === undefined ? {} : { url: `${docsUrl}guides/lint.html#${rule}` }
