import type { SuggestionRequest } from './provider.ts'

/** Usual style of the text of an element. */
const styles = new Map([
  ['button', 'A short imperative phrase without final punctuation.'],
  ['label', 'A noun or a short phrase, not a sentence.'],
  ['heading', 'A short phrase without final punctuation.'],
  ['placeholder', 'A short example or hint.'],
  ['tooltip', 'One short sentence that explains what the element does.'],
  ['error_message', 'One sentence: what happened and how to fix it, without blame.'],
])

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'ps', 'sd', 'ug', 'yi', 'dv', 'ckb', 'ks'])

/** Builds the part of the response that describes the request. */
export const contextOf = ({
  elementType,
  elementApplicationContext,
  destinationLanguage,
}: SuggestionRequest) => ({
  elementType,
  applicationContext: elementApplicationContext,
  recommendedStyle:
    styles.get(elementType.toLowerCase()) ?? 'The same style as the surrounding text.',
  culturalNotes: rightToLeft.has(baseOf(destinationLanguage))
    ? 'The language is written from right to left: punctuation and numbers may change their order.'
    : '',
})

/** Returns the language of a code without region and script: `de` for `de-AT`. */
export const baseOf = (code: string): string => code.toLowerCase().split(/[-_]/)[0]!
