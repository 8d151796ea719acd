import { z } from 'zod'
import { DataSchema } from '../data.ts'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import { DataProblem } from './projects.ts'

/** Unpublished change or removal of a schema. */
export const SchemaDraft = z.union([
  z.object({ schemaName: z.string(), definition: DataSchema }),
  z.object({ schemaName: z.string(), isRemoved: z.literal(true) }),
])
export type SchemaDraft = Readonly<z.infer<typeof SchemaDraft>>

export const SchemaListing = z.object({
  schemas: z.array(DataSchema),
  drafts: z.array(SchemaDraft),
  problems: z.array(DataProblem).describe('Problems of schemas and drafts together'),
})
export type SchemaListing = Readonly<z.infer<typeof SchemaListing>>

export const list = defineControl('schemas.list', 'GET /projects/{project}/schemas', {
  summary: 'List the published data schemas, their drafts, and the problems of both',
  access: access.developing,
  result: SchemaListing,
})

const Definition = DataSchema.nullable()

export const draft = defineControl('schemas.draft', 'PUT /projects/{project}/schemas/{name}', {
  summary: 'Save a draft of a schema, or of its removal',
  description:
    'The body is a schema, or a draft with the draft or schema that the client knows; null is none.',
  access: access.administration,
  body: z.union([z.strictObject({ definition: Definition, expected: Definition }), DataSchema]),
  result: z.object({ definition: Definition }),
  errors: { 404: 'the project has no such schema', 409: 'The schema or its draft has changed' },
})

export const remove = defineControl('schemas.remove', 'DELETE /projects/{project}/schemas/{name}', {
  summary: 'Save a draft that removes a schema',
  access: access.administration,
  errors: { 404: 'the project has no such schema' },
})

/** Drafts that the client knows; without them, a request concerns all. */
const KnownDrafts = z
  .strictObject({ drafts: z.array(z.looseObject({ schemaName: z.string() })).optional() })
  .optional()

export const publish = defineControl(
  'schemas.publish',
  'POST /projects/{project}/schemas/publish',
  {
    summary: 'Publish all drafts of schemas',
    description: 'Removes the records of removed schemas.',
    access: access.administration,
    body: KnownDrafts,
    result: z.object({ changedSchemas: z.array(z.string()), problems: z.array(DataProblem) }),
    errors: { 409: 'There are other drafts than those that the client knows' },
  },
)

export const discard = defineControl(
  'schemas.discard',
  'POST /projects/{project}/schemas/discard',
  {
    summary: 'Discard drafts of schemas, by default all',
    access: access.administration,
    body: KnownDrafts,
    errors: { 409: 'One of the drafts has changed' },
  },
)
