import type { SuggestionRequest } from './provider.ts'

/** Usual style of the text of an element. */
const styles = new Map([
  ['button', 'A short command that begins with what happens; no mark at the end.'],
  ['label', 'A noun or a short phrase; no sentence.'],
  ['heading', 'A short phrase without a mark at the end.'],
  ['placeholder', 'A short example or hint.'],
  ['tooltip', 'One short sentence that says what the element does.'],
  ['error_message', 'One sentence that says what happened and what to do, and blames nobody.'],
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
  recommendedStyle: styles.get(elementType.toLowerCase()) ?? 'As in the texts around it.',
  culturalNotes: rightToLeft.has(baseOf(destinationLanguage))
    ? 'The language is written from right to left: signs and numbers may change their order.'
    : '',
})

/** Returns the language of a code without region and script: `de` for `de-AT`. */
export const baseOf = (code: string): string => code.toLowerCase().split(/[-_]/)[0]!
