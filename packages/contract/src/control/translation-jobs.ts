import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import { type DeepReadonly, time } from './values.ts'

/** Options of a job that translates what is missing. */
export const TranslationOptions = z.strictObject({
  languages: z
    .array(z.string())
    .describe('Codes of the languages to fill; all except the source by default')
    .optional(),
  modules: z.array(z.string()).describe('Names of the modules; all by default').optional(),
  source: z
    .string()
    .describe("Language to translate from; the project's default by default")
    .optional(),
  minConfidence: z
    .number()
    .min(0)
    .max(1)
    .describe('Minimum confidence of an accepted suggestion')
    .default(0.9),
  publish: z.boolean().describe('Publishes the drafts at the end').default(false),
})
export type TranslationOptions = z.infer<typeof TranslationOptions>

/** Job that translates what is missing, with its progress. */
export const TranslationJob = z.object({
  itemId: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  total: z.int(),
  filled: z.int(),
  withoutSuggestion: z.int(),
  belowConfidence: z
    .int()
    .describe('Number of those whose best suggestion has less than the minimum confidence'),
  error: z.string().nullable(),
  request: z
    .object({
      source: z.string(),
      languages: z.array(z.string()),
      modules: z.array(z.string()),
      moduleId: z.string().nullable().describe('Id of the one requested module'),
      minConfidence: z.number(),
      publish: z.boolean(),
      suggestions: z
        .enum(['memory', 'service'])
        .describe('Source of the suggestions: the texts of the project, or a translation service')
        .optional(),
    })
    .describe('Options with all defaults resolved'),
  createdAt: time,
  finishedAt: time.nullable(),
})
export type TranslationJob = DeepReadonly<z.infer<typeof TranslationJob>>

export const list = defineControl('jobs.list', 'GET /projects/{project}/translation-jobs', {
  summary: 'List the last 100 auto-translation jobs, the newest first',
  access: access.readingTranslations,
  result: z.array(TranslationJob),
})

export const start = defineControl('jobs.start', 'POST /projects/{project}/translation-jobs', {
  summary: 'Start an auto-translation job',
  access: access.managingTranslations,
  body: TranslationOptions,
  result: TranslationJob,
  status: 202,
})

export const read = defineControl('jobs.read', 'GET /projects/{project}/translation-jobs/{id}', {
  summary: 'Read an auto-translation job with its progress',
  access: access.readingTranslations,
  result: TranslationJob,
  errors: { 404: 'there is no such job' },
})

export const cancel = defineControl(
  'jobs.cancel',
  'DELETE /projects/{project}/translation-jobs/{id}',
  {
    summary: 'Stop an auto-translation job after its current translation',
    access: access.managingTranslations,
    errors: { 404: 'there is no such job, or it has ended' },
  },
)
