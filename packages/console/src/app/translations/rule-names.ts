import type { TranslationRule } from '@servicekit/catalog/inspection'
import {
  PROBLEM_COPIED,
  PROBLEM_PLACEHOLDERS,
  PROBLEM_PLURAL,
  PROBLEM_SPACING,
  PROBLEM_SYNTAX,
  PROBLEM_TAGS,
  PROBLEM_TOO_LONG,
} from '~uilm/translations'

/** Functions that return the name of a rule. */
export const ruleNames: Readonly<Record<TranslationRule, () => string>> = {
  copy: PROBLEM_COPIED,
  length: PROBLEM_TOO_LONG,
  parameter: PROBLEM_PLACEHOLDERS,
  plural: PROBLEM_PLURAL,
  spacing: PROBLEM_SPACING,
  syntax: PROBLEM_SYNTAX,
  tag: PROBLEM_TAGS,
}
