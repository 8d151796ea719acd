import { branchesOf, type Choice, type MessageParts } from './message.ts'
import { pluralCategories } from './plural.ts'

/** Returns the choices in messages, including nested ones. */
export function choicesIn(translations: readonly MessageParts[]): readonly Choice[] {
  return translations.flatMap((parts) =>
    parts.flatMap((part) =>
      typeof part === 'string'
        ? []
        : 'cases' in part
          ? [part, ...choicesIn(branchesOf(part))]
          : 'tag' in part && part.children
            ? choicesIn([part.children])
            : [],
    ),
  )
}

/**
 * Returns descriptions of the cases that are never shown, because a translator translated their
 * names: a plural form that no language has, and cases of a value in place of those of the source
 * text. More cases than in the source text are no problem.
 *
 * @param sources Choices of the source text.
 */
export function unknownCases(
  choices: readonly Choice[],
  sources: readonly Choice[],
): readonly string[] {
  return choices.flatMap(({ kind, param, cases }) => {
    if (kind !== 'select') {
      const unknown = [...cases.keys()].filter((name) => !isCategory(name))
      return unknown.length > 0
        ? [`has the unknown plural form ${unknown.join(', ')}, which is never shown`]
        : []
    }
    const expected = new Set(
      sources
        .filter((source) => source.kind === kind && source.param === param)
        .flatMap((source) => [...source.cases.keys()]),
    )
    const unknown = [...cases.keys()].filter((name) => !expected.has(name))
    const absent = [...expected].filter((name) => !cases.has(name))
    return unknown.length > 0 && absent.length > 0
      ? [`has the case ${unknown.join(', ')} of ${param} instead of ${absent.join(', ')}`]
      : []
  })
}

const isCategory = (name: string): boolean => pluralCategories.some((category) => category === name)
