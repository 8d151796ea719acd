import { type Model, ownWording } from '../model.ts'
import { pseudoKindOf } from '../pseudo.ts'

/** How much of each module is translated into each language. */
export interface Coverage {
  readonly languages: readonly string[]
  readonly modules: readonly string[]
  /** Messages of each module. */
  readonly totals: readonly number[]
  /** Translated messages by language and module, in those orders. */
  readonly translated: readonly (readonly number[])[]
}

/** Counts the messages that somebody has written, language by language. */
export function coverageOf(model: Model): Coverage {
  const languages = model.catalog.languages
    .map(({ code }) => code)
    .filter((code) => pseudoKindOf(code, model.options.pseudo) === undefined)
  return {
    languages,
    modules: model.modules.map(({ name }) => name),
    totals: model.modules.map(({ messages }) => messages.length),
    translated: languages.map((language) =>
      model.modules.map(({ messages, source }) =>
        messages.reduce(
          (sum, { group }) => sum + (ownWording(model, source, group, language) ? 1 : 0),
          0,
        ),
      ),
    ),
  }
}

/** Share of a language that is translated, in percent; 100 where there is nothing to translate. */
export function percentOf(coverage: Coverage, language: number): number {
  const total = coverage.totals.reduce((sum, one) => sum + one, 0)
  const done = coverage.translated[language]!.reduce((sum, one) => sum + one, 0)
  return total === 0 ? 100 : (100 * done) / total
}
