import { z } from 'zod'
import { Rejection, ValidationDetail } from './errors.ts'
import { access, defineOperation } from './operation.ts'
import * as routes from './routes.ts'

/** Question with its answer (section 2.8). */
export const QuestionAnswer = z
  .object({
    project_key: z.string().min(1),
    agent_id: z.guid().describe('UUID of the agent'),
    question: z.string().min(1),
    answer: z.string().min(1),
  })
  .meta({ id: 'QuestionAnswer' })
export type QuestionAnswer = z.infer<typeof QuestionAnswer>

export const QuestionAdded = z
  .looseObject({
    is_success: z.boolean(),
    detail: z.string(),
    error: z.record(z.string(), z.unknown()).nullable().describe('Empty on success'),
  })
  .meta({ id: 'QuestionAdded' })
export type QuestionAdded = z.infer<typeof QuestionAdded>

export const add = defineOperation(routes.knowledgeAdd, {
  section: '4.8',
  summary: 'Add a question and its answer',
  access: access.projectAdministrator,
  denied: { 401: ValidationDetail, 403: ValidationDetail },
  body: QuestionAnswer,
  responses: {
    200: { description: 'Added', schema: QuestionAdded },
    400: { description: 'The question or answer is invalid', schema: ValidationDetail },
    404: { description: 'Project unknown', schema: Rejection },
    422: { description: 'A member is missing or invalid', schema: ValidationDetail },
  },
})
