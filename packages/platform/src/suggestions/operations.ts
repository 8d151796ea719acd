import { translation as wire } from '@servicekit/contract'
import { json } from '../http/answer.ts'
import { serveChecked } from '../identity/serve-checked.ts'

/** GetTranslationSuggestion of section 4.7. */
export const suggestionOperations = [
  serveChecked(wire.suggest, async ({ services, project, body, request }) => {
    const suggest = await services.suggest()
    return json(await suggest(body, project, request.signal))
  }),
]
