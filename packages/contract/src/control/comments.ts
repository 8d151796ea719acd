import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import { type DeepReadonly, integer, rowId, time } from './values.ts'

/** Message, or its translation in one language. */
const Subject = {
  module: z.string(),
  key: z.string(),
  language: z.string().nullable().describe('Language code; null for the message as a whole'),
}

const maxCommentLength = 5000

/** Person who uses the console, or did. */
export const PersonName = z.object({
  id: z.string(),
  name: z.string(),
  isActive: z.boolean().describe('False for a person who was deactivated or does not exist'),
})
export type PersonName = DeepReadonly<z.infer<typeof PersonName>>

export const CommentRecord = z.object({
  id: z.int(),
  ...Subject,
  text: z.string().describe('Plain text'),
  at: time,
  actor: z.string(),
  author: z.string().describe('Name of the author, if it is a user that still exists').nullable(),
  mentions: z.array(PersonName),
  isResolved: z.boolean(),
  editedAt: time.nullable().describe('Time of the last change of the text'),
  removedAt: time.nullable().describe('A removed comment has no text'),
  removedBy: z.string().nullable().describe('Actor that removed it'),
})
export type CommentRecord = DeepReadonly<z.infer<typeof CommentRecord>>

/** Members that the author writes. */
const Written = {
  text: z.string().regex(/\S/, 'must contain text').max(maxCommentLength),
  mentions: z
    .array(z.string())
    .max(20)
    .describe('Ids of people that `console.listPeople` lists')
    .default([]),
}

export const NewComment = z.strictObject({
  ...Subject,
  language: Subject.language.default(null),
  ...Written,
})
export type NewComment = DeepReadonly<z.infer<typeof NewComment>>

export const listComments = defineControl('comments.list', 'GET /projects/{project}/comments', {
  summary: 'List the comments on messages, or on one, the newest first',
  access: access.readingTranslations,
  query: z.object({
    module: z.string().optional(),
    key: z.string().optional(),
    page: integer(1, 1),
    pageSize: integer(1, 50, 200),
  }),
  result: z.object({ totalCount: z.int(), items: z.array(CommentRecord) }),
})

export const addComment = defineControl('comments.add', 'POST /projects/{project}/comments', {
  summary: 'Comment on a message',
  description: 'Mentioned people find it among their tasks until it is resolved.',
  access: access.readingTranslations,
  body: NewComment,
  result: CommentRecord,
  errors: { 404: 'The key is unknown' },
})

export const resolveComment = defineControl(
  'comments.resolve',
  'PUT /projects/{project}/comments/{id}',
  {
    summary: 'Mark a comment as resolved, or as open again',
    access: access.readingTranslations,
    params: { id: rowId },
    body: z.strictObject({ isResolved: z.boolean() }),
    result: CommentRecord,
    errors: { 404: 'The comment is unknown' },
  },
)

export const editComment = defineControl(
  'comments.edit',
  'PUT /projects/{project}/comments/{id}/text',
  {
    summary: 'Change the text of a comment',
    description:
      'Only its author may. People who are mentioned now are told like those of a new comment.',
    access: access.readingTranslations,
    params: { id: rowId },
    body: z.strictObject(Written),
    result: CommentRecord,
    errors: { 404: 'The comment is unknown' },
  },
)

export const removeComment = defineControl(
  'comments.remove',
  'DELETE /projects/{project}/comments/{id}',
  {
    summary: 'Remove a comment',
    description:
      'Its author, managers of translations and administrators may. Its time, its author and who removed it stay.',
    access: access.readingTranslations,
    params: { id: rowId },
    errors: { 404: 'The comment is unknown' },
  },
)

/** Comment in the export of a project. */
export const StoredComment = z.strictObject({
  module: z.string(),
  key: z.string(),
  language: z.string().optional(),
  text: z.string(),
  actor: z.string(),
  at: time,
  mentions: z.array(z.string()).optional(),
  isResolved: z.literal(true).optional(),
  editedAt: time.optional(),
  removedAt: time.optional(),
  removedBy: z.string().optional(),
})
export type StoredComment = DeepReadonly<z.infer<typeof StoredComment>>
