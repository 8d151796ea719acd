import {
  everydayCategoriesOf,
  type MessageModel,
  type Model,
  ordinalSuffix,
  pseudoKindOf,
} from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import { unknownName } from '@servicekit/core'

/** Missing translation of a language. */
export interface Gap {
  readonly module: string
  readonly key: string
  readonly language: string
  /** Source text, for a plural form that of the nearest form of the default language. */
  readonly source: string
  /** Plural form of the translation: `few`; undefined for a message without plural. */
  readonly form: string | undefined
  readonly message: MessageModel
}

/** Limits the translations to fill in. */
export interface GapFilter {
  /** All languages but the default one by default. */
  readonly languages?: readonly string[] | undefined
  readonly modules?: readonly string[] | undefined
}

/**
 * Returns the translations that are missing, by language, module and key.
 *
 * @throws ConfigError for an unknown language or module.
 */
export function findGaps(model: Model, filter: GapFilter): readonly Gap[] {
  const { defaultLanguage } = model.catalog
  const known = model.catalog.languages
    .map(({ code }) => code)
    .filter((code) => pseudoKindOf(code, model.options.pseudo) === undefined)
  const languages = select('language', filter.languages, known)
  const names = model.modules.map(({ name }) => name)
  const modules = new Set(select('module', filter.modules, names))
  return languages
    .filter((language) => language !== defaultLanguage)
    .flatMap((language) =>
      model.modules
        .filter(({ name }) => modules.has(name))
        .flatMap(({ name: module, messages, source }) => {
          const sources = source.translations.get(defaultLanguage)
          const own = source.translations.get(language)
          const textOf = (key: string): string => sources?.get(key) ?? ''
          return messages.flatMap((message) =>
            keysFor(message, language).flatMap(({ key, form }): Gap[] => {
              if (own?.get(key)) return []
              const text = textOf(key) || textOf(message.group.plural?.get('other') ?? '')
              return text.trim() === ''
                ? []
                : [{ module, key, language, source: text, form, message }]
            }),
          )
        }),
    )
}

/** Returns the keys that a message needs in a language. */
export function keysFor(
  { key, plural, ordinal, group }: MessageModel,
  language: string,
): readonly { readonly key: string; readonly form: string | undefined }[] {
  const base = group.base === undefined ? [] : [{ key: group.base, form: undefined }]
  if (!plural) return [{ key, form: undefined }]
  const stem = ordinal && !key.endsWith(ordinalSuffix) ? `${key}${ordinalSuffix}` : key
  const categories = everydayCategoriesOf(language, ordinal ? 'ordinal' : 'cardinal')
  return [...base, ...categories.map((form) => ({ key: `${stem}_${form}`, form }))]
}

function select(
  kind: string,
  wanted: readonly string[] | undefined,
  known: readonly string[],
): readonly string[] {
  const unknown = wanted?.find((one) => !known.includes(one))
  if (unknown !== undefined) throw new ConfigError(unknownName(kind, unknown, known))
  return wanted ?? known
}
