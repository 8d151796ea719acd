import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import type { DeepReadonly } from './values.ts'

/**
 * Reason why a message concerns people: an open assignment, an open comment, one that mentions
 * somebody, or a change of a translation.
 */
export const MarkKind = z.enum(['assigned', 'comments', 'mentions', 'changed'])
export type MarkKind = z.infer<typeof MarkKind>

export const MessageMark = z.object({
  module: z.string(),
  key: z.string(),
  languages: z
    .array(z.string().nullable())
    .describe('Language codes; null for the message as a whole'),
})
export type MessageMark = DeepReadonly<z.infer<typeof MessageMark>>

export const listMessageMarks = defineControl('marks.list', 'GET /projects/{project}/marks', {
  summary:
    'List the messages with open assignments or comments, or with changes, of one person or all',
  access: access.readingTranslations,
  query: z.object({
    kind: MarkKind,
    person: z.string().describe('Id of a person; all people without it').optional(),
  }),
  result: z.array(MessageMark),
})
