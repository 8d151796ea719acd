import { asc, desc, eq } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'
import { mails } from './tables.ts'

/** Mail. Mails are not delivered; read them in the inbox. */
export interface Mail {
  readonly recipient: string
  readonly purpose: string
  readonly subject: string
  readonly body: string
  readonly code?: string
  readonly link?: string
}

/** Adds a mail to the project's inbox. */
export const sendMail = (
  tables: Tables,
  projectId: number,
  mail: Mail,
  { newId, now }: Pick<ResolvedOptions, 'newId' | 'now'>,
): Promise<unknown> =>
  tables.insert(mails).values({ projectId, itemId: newId(), createdDate: now(), ...mail })

/** Lists the mails of a project, or of one recipient, newest first. */
export const listMails = (tables: Tables, recipient: string | undefined) =>
  tables
    .select({
      itemId: mails.itemId,
      recipient: mails.recipient,
      purpose: mails.purpose,
      subject: mails.subject,
      body: mails.body,
      code: mails.code,
      link: mails.link,
      createdDate: mails.createdDate,
    })
    .from(mails)
    .where(recipient === undefined ? undefined : eq(mails.recipient, recipient))
    .orderBy(desc(mails.createdDate), asc(mails.itemId))
