import type { KeyDetails } from '@servicekit/catalog'
import type { SuggestionRequest } from '@servicekit/client/translation'
import { type Glossary, termMatcher } from '../glossary/glossary.ts'
import type { Gap } from './gaps.ts'

const elementTypes = [
  'button',
  'heading',
  'placeholder',
  'tooltip',
  'error_message',
  'label',
] as const

/** Words in keys and contexts by element type. */
const hints: Readonly<Record<(typeof elementTypes)[number], RegExp>> = {
  button: /button|submit|btn/i,
  heading: /heading|headline|title/i,
  placeholder: /placeholder/i,
  tooltip: /tooltip|hint/i,
  error_message: /error|fail|invalid|\berr_/i,
  label: /label/i,
}

/**
 * Returns the request of a suggestion. The terms of the glossary that the text contains are part
 * of the context.
 */
export function suggestionRequest(
  { key, module, language, source, form }: Gap,
  {
    from,
    application,
    glossary,
    details = {},
  }: {
    readonly from: string
    readonly application: string
    readonly glossary: Glossary | undefined
    readonly details: KeyDetails | undefined
  },
): SuggestionRequest {
  const { context, maxLength } = details
  const name = `${context ?? ''} ${key}`
  const elementType = elementTypes.find((one) => hints[one].test(name)) ?? 'label'
  const notes = [
    // Without the key, so that the same text in a module is requested once.
    context ?? `part of ${module}`,
    ...(form === undefined ? [] : [`plural form "${form}" of ${language}`]),
    ...glossaryNotes(glossary, source, language),
    'Keep placeholders and tags unchanged.',
  ]
  return {
    text: source,
    from,
    to: language,
    elementType,
    applicationContext: application,
    detailContext: notes.join('; '),
    // The same text has the same translation.
    temperature: 0,
    ...(maxLength === undefined ? {} : { maxCharacterLength: maxLength }),
  }
}

function glossaryNotes(
  glossary: Glossary | undefined,
  source: string,
  language: string,
): readonly string[] {
  return (glossary?.terms ?? [])
    .filter(({ term }) => termMatcher(term)(source))
    .flatMap(({ term, keep, translations, forbidden, note }) => {
      const translation = translations?.[language]
      const avoid = [...(forbidden?.[language] ?? []), ...(forbidden?.['*'] ?? [])]
      return [
        ...(keep ? [`keep "${term}"`] : []),
        ...(translation === undefined ? [] : [`"${term}" is "${translation}"`]),
        ...(avoid.length === 0 ? [] : [`not ${avoid.map((one) => `"${one}"`).join(', ')}`]),
        ...(note === undefined ? [] : [`${term}: ${note}`]),
      ]
    })
}
