/** Part of a file, by code units. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** What the framework's own parser says of a component. */
export interface Component {
  readonly scripts: readonly Range[]
  /** Where imports go that a template may name: into a script, behind its imports. */
  readonly importsGo: Range | undefined
  /** Whether an expression at this place is one of the template. */
  readonly isInTemplate: (range: Range) => boolean
  /** Names that the template declares or uses as elements: `v-for="t in texts"`. */
  readonly names: ReadonlySet<string>
}

/** Names in a pattern or a list of parameters, and more rather than fewer. */
export const namesIn = (code: string): readonly string[] =>
  code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
