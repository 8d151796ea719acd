import { z } from 'zod'
import { access } from '../operation.ts'
import { PersonName } from './comments.ts'
import { defineControl } from './define.ts'
import { type DeepReadonly, time } from './values.ts'

const Translation = z.strictObject({ module: z.string(), key: z.string(), language: z.string() })

const Due = z.iso.date().describe('Date until which it should be done').nullable()

/** Translation that a person has to write or review. */
export const AssignmentRecord = Translation.extend({
  person: PersonName,
  due: Due,
  doneAt: time.nullable().describe('Time at which it was done; null while it waits'),
})
export type AssignmentRecord = DeepReadonly<z.infer<typeof AssignmentRecord>>

const maxKeys = 20_000

/** Translations to assign: each of the languages for each of the keys. */
export const Assignment = z.strictObject({
  keys: z
    .array(z.strictObject({ module: z.string(), key: z.string() }))
    .min(1)
    .max(maxKeys),
  languages: z.array(z.string()).min(1).max(200),
  person: z.string().describe('Id of the person; null to assign them to nobody').nullable(),
  due: Due.default(null),
})
export type Assignment = DeepReadonly<z.infer<typeof Assignment>>

export const listAssignments = defineControl(
  'assignments.list',
  'GET /projects/{project}/assignments',
  {
    summary: 'List the assignments of a key',
    access: access.readingTranslations,
    query: z.object({ module: z.string(), key: z.string() }),
    result: z.array(AssignmentRecord),
  },
)

export const assign = defineControl('assignments.set', 'PUT /projects/{project}/assignments', {
  summary: 'Assign translations to a person, all or none',
  description:
    'An assignment replaces the one before. It is done once the person saves the translation or sets its state.',
  access: access.translating,
  body: Assignment,
  result: z.object({ changed: z.int() }),
  errors: { 400: 'The person may not edit a language', 404: 'A key is unknown' },
})

export const finishAssignments = defineControl(
  'assignments.finish',
  'PUT /projects/{project}/assignments/done',
  {
    summary: 'Mark assignments as done, or as open again',
    access: access.translating,
    body: z.strictObject({
      translations: z.array(Translation).min(1).max(maxKeys),
      isDone: z.boolean(),
    }),
    result: z.object({ changed: z.int() }),
  },
)

/** Assignment in the export of a project. */
export const StoredAssignment = Translation.extend({
  person: z.string(),
  due: z.iso.date().optional(),
  doneAt: time.optional(),
})
export type StoredAssignment = DeepReadonly<z.infer<typeof StoredAssignment>>
