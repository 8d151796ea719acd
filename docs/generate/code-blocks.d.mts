/** Code block of a page. */
export interface CodeBlock {
  /** Language, as written after the fence. */
  readonly language: string
  readonly text: string
  readonly line: number
  /** Reason for which no test runs or compiles it. */
  readonly unchecked: string | undefined
}

/**
 * Returns the code blocks of a page. A block that cannot be checked has a comment before it:
 * `<!-- not checked: reason -->`.
 *
 * @param page Markdown
 */
export declare const codeBlocks: (page: string) => readonly CodeBlock[]
