import type { Tables } from '../database/database.ts'
import type { Project } from '../database/project-directory.ts'
import { ownAddress } from '../http/address.ts'
import type { Services } from '../services.ts'
import type { ConsolePerson } from './console-people.ts'
import { sendMail } from './mails.ts'

/** Request that gives people tasks. */
interface TaskRequest {
  readonly services: Services
  readonly project: Project
  readonly request: Request
}

/** Mail about a task, with the page of the console that shows it. */
interface TaskMail {
  readonly purpose: 'Mention' | 'Assignment'
  readonly subject: string
  readonly text: string
  /** Path of the page, without the project. */
  readonly page: string
}

/** Sends people a mail about a task, in the transaction of the change, if the project wants it. */
export async function sendTaskMails(
  tables: Tables,
  { services, project, request }: TaskRequest,
  people: readonly ConsolePerson[],
  { purpose, subject, text, page }: TaskMail,
): Promise<void> {
  if (!project.notifyByMail) return
  const link = new URL(`/console${page}`, ownAddress(services.options, request).origin)
  link.searchParams.set('project', project.key)
  const body = `${text}\n\n${link.href}\n`
  for (const { email } of people) {
    await sendMail(tables, project.id, { recipient: email, purpose, subject, body }, services)
  }
}
