import { type Model, pseudoKindOf } from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import { findClosest, unknownName } from '@servicekit/core'
import type { Glossary } from '../glossary/glossary.ts'
import { type Gap, keysFor } from './gaps.ts'
import { rejectionOf } from './usable.ts'

/** Translation to validate. */
export interface TranslationInput {
  readonly module: string
  /** Key; of a plural that of a form, such as `ITEMS_other`. */
  readonly key: string
  readonly language: string
  readonly value: string
}

/**
 * Returns why a translation cannot be used: other parameters or tags than the source text, a
 * syntax error, too long, or a word that the glossary forbids. Returns undefined if it can.
 *
 * ```ts
 * const reason = validateTranslation(await project.load(), {
 *   module: 'cart', key: 'GREETING', language: 'de-DE', value: 'Hallo {{nmae}}',
 * })
 * ```
 *
 * @throws ConfigError for an unknown module, key or language, and for the default language.
 */
export function validateTranslation(
  model: Model,
  { module, key, language, value }: TranslationInput,
  glossary?: Glossary,
): string | undefined {
  const gap = findGap(model, { module, key, language })
  const maxLength = model.catalog.details?.get(module)?.get(key)?.maxLength
  return rejectionOf(value, { gap, model, glossary, maxLength })
}

function findGap(
  model: Model,
  { module, key, language }: Pick<TranslationInput, 'module' | 'key' | 'language'>,
): Gap {
  const { defaultLanguage, languages } = model.catalog
  const known = languages
    .map(({ code }) => code)
    .filter((code) => pseudoKindOf(code, model.options.pseudo) === undefined)
  if (!known.includes(language)) throw new ConfigError(unknownName('language', language, known))
  if (language === defaultLanguage) {
    throw new ConfigError(`${language} is the default language, which is not translated`, {
      help: `Choose one of ${known.filter((one) => one !== language).join(', ')}.`,
    })
  }
  const found = model.modules.find(({ name }) => name === module)
  if (!found) {
    const names = model.modules.map(({ name }) => name)
    throw new ConfigError(unknownName('module', module, names))
  }
  const sources = found.source.translations.get(defaultLanguage)
  const keys: string[] = []
  for (const message of found.messages) {
    const own = keysFor(message, language)
    // Forms that only the default language has can be translated too.
    const others = [...(message.group.plural?.values() ?? [])].map((one) => ({
      key: one,
      form: undefined,
    }))
    const item = [...own, ...others].find((one) => one.key === key)
    if (item) {
      const other = message.group.plural?.get('other') ?? message.key
      const source = sources?.get(key) || sources?.get(other) || ''
      return { module, key, language, source, form: item.form, message }
    }
    keys.push(...own.map((one) => one.key))
  }
  const closest = findClosest(key, keys)
  throw new ConfigError(`Unknown key "${key}" in module ${module}`, {
    ...(closest !== undefined && { help: `Did you mean "${closest}"?` }),
  })
}
