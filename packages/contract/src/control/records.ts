import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import type { DeepReadonly } from './values.ts'

/** Maximum size of an import of records in bytes. */
export const maxRecordBytes = 64 * 1024 * 1024

/** Problem of a record of an import. */
export const RecordProblem = z.object({
  row: z.int().describe('Position of the record, from 0'),
  message: z.string(),
})
export type RecordProblem = DeepReadonly<z.infer<typeof RecordProblem>>

export const ImportedRecords = z.object({
  inserted: z.int().describe('0 if there are problems, or if this was a dry run'),
  problems: z.array(RecordProblem).describe('The first 100'),
})
export type ImportedRecords = DeepReadonly<z.infer<typeof ImportedRecords>>

const Body = z.strictObject({
  records: z
    .array(z.unknown())
    .min(1)
    .max(100_000)
    .describe('Objects with the values by field, as in an insert on the data gateway'),
  isDryRun: z.boolean().default(false).describe('Only checks the records'),
})

export const importRecords = defineControl(
  'records.import',
  'POST /projects/{project}/records/{schema}/import',
  {
    summary: 'Insert records of a schema, all or none',
    description: 'The values follow the rules of an insert on the data gateway.',
    access: access.administration,
    body: Body,
    result: ImportedRecords,
    errors: {
      404: 'records of this schema cannot be inserted',
      409: 'Somebody else inserted a record with the same id',
    },
  },
)
