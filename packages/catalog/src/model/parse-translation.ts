import {
  type MessageParts,
  type MessageSyntax,
  type ParameterType,
  narrowestOf,
  parameterUsesOf,
  parseMessage,
  syntaxErrorOf,
} from '../syntax/message.ts'
import type { Translations } from './normalise.ts'
import { type MarkupOptions, parseTags, type TagNames, tagNamesOf } from '../syntax/tags.ts'
import { protectQuoted, restoreQuoted } from '../syntax/icu-quotes.ts'
import type { KeyGroup, PluralCategory } from '../syntax/plural.ts'
import { pseudoParts } from './pseudo.ts'

/** Options that influence how a translation is parsed. */
export interface ParseOptions {
  readonly syntax: MessageSyntax
  /** Elements in messages; tags are text by default. */
  readonly markup?: MarkupOptions | undefined
  /** Treats translations of only white space as missing. */
  readonly blankIsMissing?: boolean
}

/** Parsed translation of a message. */
export interface Translation {
  readonly language: string
  readonly other: MessageParts
  /** Plural forms other than `other`; empty for a message without plural. */
  readonly forms: ReadonlyMap<PluralCategory, MessageParts>
  /** Tags of all forms; undefined if there are none. */
  readonly tags?: TagNames
  /** Reason for which the tags are invalid; they are shown as text. */
  readonly tagError?: string
  /** `true` if the syntax of a form is invalid, so that its text is the source of a message. */
  readonly isInvalid?: true
}

/** Parses the translation of a message; undefined if it is missing. */
export function parseTranslation(
  translations: Translations,
  group: KeyGroup,
  language: string,
  { syntax, markup, blankIsMissing }: ParseOptions,
): Translation | undefined {
  const hasQuotedTags = markup !== undefined && syntax === 'icu'
  let isInvalid = false
  const parse = (given: string): MessageParts => {
    const text = hasQuotedTags ? protectQuoted(given) : given
    const parts = parseMessage(text, syntax)
    const isUnchanged = parts.length === 1 && parts[0] === text && text.includes('{')
    if (isUnchanged && syntaxErrorOf(text, syntax) !== undefined) isInvalid = true
    return parts
  }
  const finish = (parsed: Translation): Translation => {
    const translation: Translation = isInvalid ? { ...parsed, isInvalid } : parsed
    if (!hasQuotedTags) return translation
    return {
      ...translation,
      other: restoreQuoted(translation.other),
      forms: new Map(
        [...translation.forms].map(([category, form]) => [category, restoreQuoted(form)]),
      ),
    }
  }
  const read = (key: string | undefined): string | undefined => {
    const text = key === undefined ? undefined : translations.get(key) || undefined
    return text !== undefined && blankIsMissing && text.trim() === '' ? undefined : text
  }
  if (!group.plural) {
    const text = read(group.key)
    if (text === undefined) return undefined
    const translation = { language, other: parse(text), forms: noForms }
    return finish(markup && text.includes('<') ? withTags(translation, markup) : translation)
  }
  const other = read(group.plural.get('other')) ?? read(group.base)
  if (other === undefined) return undefined
  const forms = new Map<PluralCategory, MessageParts>()
  for (const [category, key] of group.plural) {
    const text = category === 'other' ? undefined : read(key)
    if (text !== undefined) forms.set(category, parse(text))
  }
  const translation = { language, other: parse(other), forms }
  return finish(markup ? withTags(translation, markup, group.plural) : translation)
}

/** Reads the tags in all forms of a translation, or in none if they are wrong in one. */
function withTags(
  translation: Translation,
  markup: MarkupOptions,
  plural?: KeyGroup['plural'],
): Translation {
  const other = parseTags(translation.other, markup)
  const forms = [...translation.forms].map(
    ([category, parts]) => [category, parseTags(parts, markup)] as const,
  )
  const all = [other, ...forms.map(([, form]) => form)]
  const tags = new Map<string, boolean>()
  for (const { parts } of all) tagNamesOf(parts, tags)
  const wrong = all.find(({ error }) => error !== undefined)
  if (wrong) return { ...translation, tagError: wrong.error! }
  if (tags.size === 0) return translation
  const params = ['count', ...parametersOfTranslation(translation, false).keys()]
  const taken = params.slice(plural ? 0 : 1).find((name) => tags.has(name))
  if (taken !== undefined) {
    return { ...translation, tagError: `the tag ${taken} has the name of a parameter` }
  }
  return {
    ...translation,
    other: other.parts,
    forms: new Map(forms.map(([category, { parts }]) => [category, parts])),
    tags,
  }
}

const noForms: ReadonlyMap<PluralCategory, MessageParts> = new Map()

/** Returns true for a translation that is one text without parameters, plural forms and tags. */
export const isPlain = ({ other, forms, tagError }: Translation): boolean =>
  forms.size === 0 && other.length === 1 && typeof other[0] === 'string' && !tagError

/** Returns the translation of a pseudo-locale, for that of the default language. */
export const pseudoTranslation = (
  translation: Translation | undefined,
  kind: 'ltr' | 'rtl',
): Translation | undefined =>
  translation && {
    ...translation,
    other: pseudoParts(translation.other, kind),
    forms: new Map(
      [...translation.forms].map(([category, parts]) => [category, pseudoParts(parts, kind)]),
    ),
  }

/**
 * Returns the parameters of all forms of a translation with their types, without the
 * `count` of a plural.
 */
export function parametersOfTranslation(
  { other, forms }: Translation,
  plural: boolean,
): ReadonlyMap<string, ParameterType> {
  const types = new Map(
    [...usesOfTranslation({ other, forms })].map(([name, uses]) => [name, narrowestOf(uses)]),
  )
  if (plural) types.delete('count')
  return types
}

/** Returns the parameters of all forms of a translation with the types that its uses need. */
export function usesOfTranslation({
  other,
  forms,
}: Pick<Translation, 'other' | 'forms'>): ReadonlyMap<string, ReadonlySet<ParameterType>> {
  const uses = new Map<string, Set<ParameterType>>(
    forms.size > 0 ? [['count', new Set<ParameterType>(['number'])]] : [],
  )
  for (const form of [other, ...forms.values()]) parameterUsesOf(form, uses)
  return uses
}
