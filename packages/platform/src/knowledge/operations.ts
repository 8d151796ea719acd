import { knowledge as wire } from '@servicekit/contract'
import { json } from '../http/responses.ts'
import { implement } from '../http/mount.ts'
import { detail } from '../tools/operations.ts'
import { addQuestion } from './store.ts'
import { jsonProblem } from '../http/json-problem.ts'

/**
 * Maximum lengths in characters; the search index of each entry is limited to less than a megabyte.
 */
const longest = { question: 20_000, answer: 100_000 } as const

/**
 * Operation of section 4.8, the knowledge base. Accepts any UUID as agent id, because
 * agents are created elsewhere.
 */
export const knowledgeOperations = [
  implement(wire.add, async ({ services, project, body, transaction }) => {
    if (body.project_key !== project.key) {
      const message = 'The project header names another project.'
      return detail(400, ['body', 'project_key'], message, 'value_error')
    }
    for (const name of ['question', 'answer'] as const) {
      const text = body[name]
      const isTooLong = text.length > longest[name]
      const problem =
        (text.trim() === '' && 'must not be empty') ||
        (isTooLong && `must have at most ${longest[name]} characters`) ||
        jsonProblem(text)
      if (problem) return detail(400, ['body', name], problem, 'value_error')
    }
    const now = services.options.now()
    await transaction((tables) => addQuestion(tables, project.id, body, now))
    return json({
      is_success: true,
      detail: 'The question and its answer are added.',
      error: {},
    } satisfies wire.QuestionAdded)
  }),
]
