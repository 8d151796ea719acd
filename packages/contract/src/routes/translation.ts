import { route } from './define.ts'

/** Suggests translations for a text of the user interface. @see section 4.7 */
export const translationSuggest = /* @__PURE__ */ route({
  id: 'translation.suggest',
  method: 'POST',
  path: '/uilm/v1/Assistant/GetTranslationSuggestion',
  body: 'json',
  effect: 'read',
  section: '4.7',
})
