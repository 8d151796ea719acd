import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { addJob } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { mails } from '../database/tables.ts'

type NewMail = Omit<typeof mails.$inferInsert, 'projectId' | 'itemId' | 'createdDate' | 'seq'>

/** Mail to deliver, with its subject and body in English. It may contain a secret. */
export interface OutgoingMail extends Readonly<
  Omit<typeof mails.$inferSelect, 'projectId' | 'seq'>
> {
  readonly project: { readonly key: string; readonly name: string }
  /** Language code of the recipient, if known. */
  readonly language: string | null
  /** Number of attempts, including this one. */
  readonly tries: number
}

/** Adds a mail to the project's inbox, and a job that delivers it if there is `sendMail`. */
export async function sendMail(
  tables: Tables,
  projectId: number,
  mail: NewMail,
  { options, queue }: Pick<Services, 'options' | 'queue'>,
): Promise<void> {
  const createdDate = options.now()
  const values = { projectId, itemId: options.newId(), createdDate, ...mail }
  const [row] = await tables.insert(mails).values(values).returning({ seq: mails.seq })
  if (!options.sendMail) return
  await addJob(tables, { kind: 'mail', projectId, subject: row!.seq!, runAt: createdDate })
  // By then the transaction is probably committed.
  queue.wakeAfter(50)
}

const { projectId: _, seq: __, ...columns } = getTableColumns(mails)

/** Lists the mails of a project, or of one recipient, newest first. */
export const listMails = (tables: Tables, recipient: string | undefined) =>
  tables
    .select(columns)
    .from(mails)
    .where(recipient === undefined ? undefined : eq(mails.recipient, recipient))
    .orderBy(desc(mails.createdDate), asc(mails.itemId))

/** Removes the oldest mail of a recipient from the inbox and returns it. */
export async function takeMail(tables: Tables, recipient: string) {
  const oldest = sql`(select min(m.seq) from servicekit.mails m where m.recipient = ${recipient})`
  const [mail] = await tables.delete(mails).where(eq(mails.seq, oldest)).returning(columns)
  return mail
}
