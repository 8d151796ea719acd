import { type Model, pseudoKindOf } from '@servicekit/catalog'

/** Number of translated messages by module and language. */
export interface Coverage {
  readonly languages: readonly string[]
  readonly modules: readonly string[]
  /** Number of messages in each module. */
  readonly totals: readonly number[]
  /** Number of translated messages, indexed by language and then by module. */
  readonly translated: readonly (readonly number[])[]
}

/** Counts the translated messages of each language and module. */
export function coverageOf(model: Model): Coverage {
  const languages = model.catalog.languages
    .map(({ code }) => code)
    .filter((code) => pseudoKindOf(code, model.options.pseudo) === undefined)
  return {
    languages,
    modules: model.modules.map(({ name }) => name),
    totals: model.modules.map(({ messages }) => messages.length),
    translated: languages.map((language) =>
      model.modules.map(
        ({ messages }) => messages.filter(({ translations }) => translations.get(language)).length,
      ),
    ),
  }
}

/** Returns the translated share of a language in percent; 100 if there are no messages. */
export function percentOf(coverage: Coverage, language: number): number {
  const total = coverage.totals.reduce((sum, one) => sum + one, 0)
  const done = coverage.translated[language]!.reduce((sum, one) => sum + one, 0)
  return total === 0 ? 100 : (100 * done) / total
}
