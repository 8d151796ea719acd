import type { Route } from '../route.ts'

/** Suggests translations for a text of the user interface. @see section 4.7 */
export const translationSuggest = {
  id: 'translation.suggest',
  method: 'POST',
  path: '/uilm/v1/Assistant/GetTranslationSuggestion',
  body: 'json',
  effect: 'read',
  access: 'key',
} as const satisfies Route
