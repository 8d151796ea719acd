import { z } from 'zod'
import type { Draft } from '../localization/drafts.ts'

/** Tables whose rows an export includes unchanged, in the order in which they were created. */
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

/** Parts of an export that are not in a hand-written project folder. */
export const Extras = z.strictObject({
  drafts: z.custom<readonly Draft[]>((value) => Array.isArray(value)).optional(),
  rows: z.partialRecord(z.enum(rowTables.map(([name]) => name)), z.array(Row)).optional(),
})

/** Extras, and the folder with the bytes of files if there is one. */
export interface ProjectExtras extends z.infer<typeof Extras> {
  readonly filesFolder?: string
}
