/** Range of a file in code units. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Component as parsed by the compiler of its framework. */
export interface Component {
  readonly scripts: readonly Range[]
  /** Script that receives the imports used in the template. */
  readonly importTarget: Range | undefined
  /** `true` if the template can use the imports of a script, as with `<script setup>`. */
  readonly showsImports: boolean
  /** `true` if the component has messages of its own: a block `<i18n>`. */
  readonly hasOwnMessages: boolean
  /** Elements `<i18n-t>` of vue-i18n. */
  readonly translationElements: readonly Range[]
  /** Returns whether the range lies in an expression of the template. */
  readonly isInTemplate: (range: Range) => boolean
  /** Names that the template declares or uses as elements: `v-for="t in texts"`. */
  readonly names: ReadonlySet<string>
}

/** Returns the names in a pattern or parameter list. May return too many, never too few. */
export const namesIn = (code: string): readonly string[] =>
  code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
