import { translation as wire } from '@servicekit/contract'
import { json } from '../http/answer.ts'
import { serveChecked } from '../identity/serve-checked.ts'

/** GetTranslationSuggestion of section 4.7. */
export const suggestionOperations = [
  serveChecked(wire.suggest, async ({ services, project, body, request }) => {
    const suggest = await services.suggest()
    const found = await suggest(body, project, request.signal)
    if (project.dialect.suggestions === 'list') return json(found)
    return json({ content: found.suggestions[0]?.translation ?? '' } satisfies wire.Suggestions)
  }),
]
