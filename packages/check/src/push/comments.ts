import type { KeyDetails } from '@servicekit/catalog'

/** Source text in a comment of the code. */
export interface TextComment extends KeyDetails {
  /** One-based. */
  readonly line: number
  /** Key that the comment names; undefined if it is about the key beside it. */
  readonly key: string | undefined
  readonly text: string
}

const comment =
  /(?:\/\/|\/\*+|<!--|^\s*\*)\s*uilm(?:[ \t]+([^\s:(]+))?(?:[ \t]*\(([^)]*)\))?:[ \t]*(.+?)\s*(?:\*\/.*|-->.*)?$/

/**
 * Finds the comments with source texts. A key, and details in parentheses, are optional:
 *
 * ```tsx
 * <button>{CHECKOUT() /* uilm: Check out *\/}</button>
 * // uilm CHECKOUT (button in the cart; max 20): Check out
 * ```
 */
export function readComments(source: string): readonly TextComment[] {
  if (!source.includes('uilm')) return []
  return source.split(/\r?\n/).flatMap((line, index): readonly TextComment[] => {
    const match = comment.exec(line)
    if (!match) return []
    const [, key, details = '', text = ''] = match
    return [{ line: index + 1, key, text: unquote(text), ...readDetails(details) }]
  })
}

/** Quotes keep white space at the ends of a text. */
const unquote = (text: string): string =>
  text.length > 1 && /^(["'`])[^]*\1$/.test(text) ? text.slice(1, -1) : text

/** Reads `button in the cart; max 20`. */
function readDetails(details: string): KeyDetails {
  const parts = details.split(';').map((part) => part.trim())
  const maximum = parts.map((part) => /^max\s+(\d+)$/.exec(part)?.[1]).find(Boolean)
  const context = parts.filter((part) => part !== '' && !/^max\s+\d+$/.test(part)).join('; ')
  return {
    ...(context === '' ? {} : { context }),
    ...(maximum === undefined ? {} : { maxLength: Number(maximum) }),
  }
}

/**
 * Returns the comment about a key of a file: one that names it, or else one on a line with the
 * name, or on the line above, if that line has no other wanted name.
 *
 * @param names Other names that the file uses without a text.
 */
export function commentFor(
  { key, name }: { readonly key: string; readonly name: string },
  comments: readonly TextComment[],
  { source, names }: { readonly source: string; readonly names: readonly string[] },
): TextComment | undefined {
  const named = comments.find((one) => one.key === key || one.key === name)
  if (named) return named
  const lines = source.split(/\r?\n/)
  return comments.find((one) => {
    if (one.key !== undefined) return false
    const beside = [lines[one.line - 1]!.replace(comment, ''), lines[one.line] ?? ''].find((line) =>
      [name, ...names].some((word) => hasWord(line, word)),
    )
    if (beside === undefined || !hasWord(beside, name)) return false
    return !names.some((other) => other !== name && hasWord(beside, other))
  })
}

const hasWord = (line: string, word: string): boolean => {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    const around = `${line[at - 1] ?? ' '}${line[at + word.length] ?? ' '}`
    if (!/[\p{ID_Continue}$]/u.test(around)) return true
  }
  return false
}
