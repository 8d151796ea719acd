import { formatProblem, inspect, isRefused, type Model, type Problem } from '@servicekit/catalog'
import { formatCount } from '@servicekit/core'

/** Returns translations that are not shown as written; `servicekit check` reports the others. */
export const problemsOf = (model: Model): readonly Problem[] =>
  inspect(model).filter(
    ({ code, severity }) => code === 'SYNTAX' || isRefused(code) || severity === 'error',
  )

const shown = 20

/** Formats the first problems only: one per file would hide everything else. */
export function problemLines(problems: readonly Problem[]): readonly string[] {
  const lines = problems.slice(0, shown).map((problem) => formatProblem(problem))
  const hidden = problems.length - lines.length
  if (hidden === 0) return lines
  return [...lines, `and ${formatCount(hidden, 'more problem')}; run \`servicekit check\` for all`]
}
