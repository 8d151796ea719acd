import type { Range } from './component.ts'

// Used part of the nodes of `vue/compiler-sfc`.

/** Kinds of template nodes. */
export const nodeKinds = { element: 1, text: 2, comment: 3, interpolation: 5 } as const
/** Kind of an attribute without a directive. */
export const attributeKind = 6

interface Location {
  readonly start: { readonly offset: number }
  readonly end: { readonly offset: number }
}
export interface Block {
  readonly loc: Location
}
interface Expression extends Block {
  readonly content: string
}
export interface TemplateNode extends Block {
  readonly type: number
  /** `true` for `<br />`. */
  readonly isSelfClosing?: boolean
  readonly tag?: string
  /** Only elements have children. */
  readonly children?: readonly TemplateNode[]
  readonly props?: readonly Property[]
  /** Expression of an interpolation `{{ }}`. */
  readonly content?: Expression | string
}
export interface Property extends Block {
  readonly type: number
  /** Name of an attribute, or of a directive without `v-`. */
  readonly name: string
  /** Value of an attribute. */
  readonly value?: { readonly content: string }
  /** Argument of a directive: `name` of `#name` and `:name`. */
  readonly arg?: { readonly content: string; readonly isStatic: boolean }
  readonly exp?: Expression
  readonly forParseResult?: Partial<
    Record<'source' | 'value' | 'key' | 'index', Expression | undefined>
  >
}

export const rangeOf = ({ loc }: Block): Range => ({ start: loc.start.offset, end: loc.end.offset })
