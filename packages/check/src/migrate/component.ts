/** Range of a file in code units. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Element `<i18n-t>` of vue-i18n. */
export interface TranslationElement extends Range {
  readonly tagName: string
  /** Attributes `keypath`, `tag`, `plural` and `scope`. */
  readonly own: ReadonlyMap<string, ElementAttribute>
  /** `true` if other attributes are for the element that `tag` names. */
  readonly hasOthers: boolean
  /** Start of ` />` or `>` in its first tag, without its white space, and the end. */
  readonly openTail: Range
  /** Start of its last tag; the end if it closes itself. */
  readonly closeStart: number
  /** Names of its slots. */
  readonly slots: readonly string[]
  /** Parts of its default slot, which are the parameters `{0}`, `{1}` and so on. */
  readonly parts: readonly Range[]
  /** Reason why it cannot be converted. */
  readonly doubt: string | undefined
}

export interface ElementAttribute extends Range {
  /** Start of the white space before it. */
  readonly spaceStart: number
  /** Text of a static attribute. */
  readonly text: string | undefined
  /** Code of `:name="code"`. */
  readonly code: string | undefined
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
  readonly translationElements: readonly TranslationElement[]
  /** Returns whether the range lies in an expression of the template. */
  readonly isInTemplate: (range: Range) => boolean
  /** Names that the template declares or uses as elements: `v-for="t in texts"`. */
  readonly names: ReadonlySet<string>
}

/** Returns the names in a pattern or parameter list. May return too many, never too few. */
export const namesIn = (code: string): readonly string[] =>
  code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
