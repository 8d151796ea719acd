import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import { Dialect, DialectChoice } from './dialect.ts'
import { type DeepReadonly, flag, Origin } from './values.ts'

export const ProjectRecord = z.object({
  key: z.string(),
  name: z.string(),
  organizationId: z.string(),
  fallback: z.string().describe('Code of the fallback language'),
  dialect: Dialect,
  origins: z.array(z.string()),
  publishOnlyReviewed: z.boolean().describe('Publishes only translations that are reviewed'),
  notifyByMail: z.boolean().describe('Sends people mails about mentions and assignments'),
  textsVersion: z.int(),
  schemasVersion: z.int(),
})
export type ProjectRecord = DeepReadonly<z.infer<typeof ProjectRecord>>

export const list = defineControl('projects.list', 'GET /projects', {
  summary: 'List the projects',
  access: access.operator,
  result: z.array(ProjectRecord),
})

/** Problem in a project's data that does not prevent the rest from working. */
export const DataProblem = z.object({
  code: z.enum(['SCHEMA_SKIPPED', 'FIELD_SKIPPED', 'RECORD_INVALID']),
  schema: z.string(),
  member: z.string().optional(),
  message: z.string(),
})

const LoadedProject = z.object({
  key: z.string(),
  changedModules: z
    .array(z.string())
    .describe('Modules in which a translation in any language changed'),
  problems: z.array(DataProblem).describe('Problems in the schemas and records of the project'),
})

/** Body limit of an import. A project with 50 languages and 20,000 keys is 60 MB. */
export const maxImportBytes = 512 * 1024 * 1024

export const load = defineControl('projects.load', 'POST /projects', {
  summary: 'Load a project from a folder of the platform, or from one JSON value such as an export',
  access: access.operator,
  body: z.union([
    z.strictObject({ folder: z.string() }),
    z.looseObject({ projectKey: z.string() }),
  ]),
  result: LoadedProject,
})

export const remove = defineControl('projects.remove', 'DELETE /projects/{project}', {
  summary: 'Remove a project with all its data and files',
  access: access.operator,
})

/** Whole project as one JSON value. */
export const ProjectExport = z.looseObject({
  projectKey: z.string(),
  rows: z.record(z.string(), z.array(z.looseObject({}))),
})

export type ProjectExport = DeepReadonly<z.infer<typeof ProjectExport>>

export const exportProject = defineControl('projects.export', 'GET /projects/{project}/export', {
  summary: 'Export a whole project as one JSON value, without the bytes of its files',
  access: access.operator,
  query: z.object({
    secrets: flag.describe('Includes password hashes, and secrets of clients, webhooks and tools'),
  }),
  result: ProjectExport,
  // Compressed by the handler.
  mediaType: 'application/json',
})

export const reset = defineControl('projects.reset', 'POST /projects/{project}/reset', {
  summary: 'Reset a project to its source',
  access: access.operator,
  result: LoadedProject,
  errors: { 409: 'The process did not load the project, so it has no source' },
})

export const setOrigins = defineControl('projects.setOrigins', 'PUT /projects/{project}/origins', {
  summary: "Replace the origins of the project's applications",
  access: access.operator,
  body: z.array(Origin),
  result: z.array(z.string()),
})

export const setDialect = defineControl('projects.setDialect', 'PUT /projects/{project}/dialect', {
  summary: 'Change response shapes of a project',
  access: access.operator,
  body: DialectChoice,
  result: Dialect,
})

export const streamEvents = defineControl(
  'projects.streamEvents',
  'GET /projects/{project}/events',
  {
    summary: 'Stream the events of this process, in the shape of webhooks',
    access: access.operator,
    result: z.string(),
    mediaType: 'text/event-stream',
  },
)
