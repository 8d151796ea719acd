import { isProbablyCopied } from './copied-text.ts'

/** Translation next to its source text. */
export interface TranslatedText {
  readonly language: string
  readonly source: string
  readonly text: string
}

/** Problem of the rule `copy` or `spacing`. */
export interface QualityProblem {
  readonly rule: 'copy' | 'spacing'
  /** End of a sentence that begins with the key. */
  readonly message: string
}

/** Languages that are written without spaces between words. */
const isWithoutSpaces = (language: string): boolean => /^(?:ja|zh|th|lo|km|my)\b/.test(language)

/**
 * Returns a problem if a translation is probably a copy of its source text.
 *
 * @param kept terms in lower case that stay untranslated.
 */
export function copyProblems(
  { source, text }: TranslatedText,
  kept?: ReadonlySet<string>,
): readonly QualityProblem[] {
  if (!isProbablyCopied(source, text, kept)) return []
  return [{ rule: 'copy', message: 'is the same as the source text, and probably not translated' }]
}

/** Returns the problems of white space that the source text does not have, or has. */
export function spacingProblems(
  { source, text, language }: TranslatedText,
  isDefault: boolean,
): readonly QualityProblem[] {
  const problem = (message: string): QualityProblem => ({ rule: 'spacing', message })
  const found: QualityProblem[] = []
  const hasDouble = (one: string): boolean => /\S {2,}\S/.test(one)
  if (hasDouble(text) && (isDefault || !hasDouble(source)))
    found.push(problem('contains two spaces in a row'))
  if (isDefault || isWithoutSpaces(language)) return found
  const ends = [
    ['starts', /^\s+/],
    ['ends', /\s+$/],
  ] as const
  for (const [verb, pattern] of ends) {
    if (pattern.test(text) === pattern.test(source)) continue
    found.push(
      problem(
        pattern.test(text)
          ? `${verb} with white space, unlike the source text`
          : `does not ${verb.slice(0, -1)} with white space, unlike the source text`,
      ),
    )
  }
  return found
}
