import { z } from 'zod'
import type { Draft } from '../localization/drafts.ts'

/** Tables whose rows an export holds as they are, in the order in which they were made. */
export const rowTables = [
  ['organizations', 'seq'],
  ['users', 'seq'],
  ['memberships', 'organization_id'],
  ['roles', 'seq'],
  ['permissions', 'seq'],
  ['clients', 'client_id'],
  ['webhooks', 'item_id'],
  ['tools', 'item_id'],
  ['agents', 'item_id'],
  ['knowledge', 'id'],
  ['stored_files', 'seq'],
] as const

const Row = z.record(z.string(), z.unknown())

/** What an export holds beside what people write into a project's files. */
export const Extras = z.strictObject({
  drafts: z.custom<readonly Draft[]>((value) => Array.isArray(value)).optional(),
  rows: z.partialRecord(z.enum(rowTables.map(([name]) => name)), z.array(Row)).optional(),
})

/** The same, and where the bytes of files are if they are in a folder. */
export interface ProjectExtras extends z.infer<typeof Extras> {
  readonly filesFolder?: string
}
