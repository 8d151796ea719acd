import { asc, desc, eq, getTableColumns } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'
import { mails } from '../database/tables.ts'

type Mail = Omit<typeof mails.$inferInsert, 'projectId' | 'itemId' | 'createdDate'>

/** Adds a mail to the project's inbox. Mails are not delivered. */
export const sendMail = (
  tables: Tables,
  projectId: number,
  mail: Mail,
  { newId, now }: Pick<ResolvedOptions, 'newId' | 'now'>,
): Promise<unknown> =>
  tables.insert(mails).values({ projectId, itemId: newId(), createdDate: now(), ...mail })

const { projectId: _, ...columns } = getTableColumns(mails)

/** Lists the mails of a project, or of one recipient, newest first. */
export const listMails = (tables: Tables, recipient: string | undefined) =>
  tables
    .select(columns)
    .from(mails)
    .where(recipient === undefined ? undefined : eq(mails.recipient, recipient))
    .orderBy(desc(mails.createdDate), asc(mails.itemId))
