import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import { type DeepReadonly, integer } from './values.ts'

/**
 * Reason why something waits for a person: a mention in an open comment, an assignment, a draft to
 * review, or a translation whose source text has changed.
 */
export const TaskKind = z.enum(['mentions', 'assigned', 'toReview', 'needsReview'])
export type TaskKind = z.infer<typeof TaskKind>

/** Highest number of tasks that is counted. */
export const maxTaskCount = 1000

const person = z
  .string()
  .describe('Id of the person; by default the caller. The operator has to name one')
  .optional()

export const TaskRecord = z.object({
  module: z.string(),
  key: z.string(),
  language: z.string().nullable(),
  text: z.string().describe('Current translation, drafted or else served').nullable(),
  source: z.string().describe('Current text in the default language').nullable(),
  comment: z
    .object({ id: z.int(), text: z.string(), actor: z.string(), author: z.string().nullable() })
    .describe('Comment that mentions the person')
    .nullable(),
  due: z.string().describe('Date until which an assignment should be done').nullable(),
})
export type TaskRecord = DeepReadonly<z.infer<typeof TaskRecord>>

const total = z.int().describe(`At most ${maxTaskCount}; there may be more then`)

export const listTasks = defineControl('tasks.list', 'GET /projects/{project}/tasks', {
  summary: 'List what waits for a person',
  access: access.readingTranslations,
  query: z.object({
    kind: TaskKind,
    person,
    page: integer(1, 1, 1000),
    pageSize: integer(1, 50, 200),
  }),
  result: z.object({ totalCount: total, items: z.array(TaskRecord) }),
})

export const countTasks = defineControl('tasks.count', 'GET /projects/{project}/tasks/counts', {
  summary: 'Count what waits for a person, by kind',
  access: access.readingTranslations,
  query: z.object({ person }),
  result: z.record(TaskKind, total),
})

export const Notifications = z.strictObject({
  byMail: z.boolean().describe('Sends people a mail about mentions and assignments'),
})

export const readNotifications = defineControl(
  'tasks.readNotifications',
  'GET /projects/{project}/notifications',
  {
    summary: 'Read whether people get mails about their tasks',
    access: access.readingTranslations,
    result: Notifications,
  },
)

export const changeNotifications = defineControl(
  'tasks.changeNotifications',
  'PUT /projects/{project}/notifications',
  {
    summary: 'Change whether people get mails about their tasks',
    access: access.managingTranslations,
    body: Notifications,
    result: Notifications,
  },
)
