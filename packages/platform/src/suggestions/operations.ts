import { translation as wire } from '@servicekit/contract'
import { json } from '../http/responses.ts'
import { serveValidated } from '../http/mount.ts'

/** GetTranslationSuggestion of section 4.7. */
export const suggestionOperations = [
  serveValidated(wire.suggest, async ({ services, project, body, request }) => {
    const suggest = await services.suggest()
    return json(await suggest(body, project, request.signal))
  }),
]
