import type { Tables } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import { after, lifetimes } from './lifetimes.ts'
import { sendMail } from './mails.ts'
import { hashSecret, createSecret } from './secrets.ts'
import { oneTimeCodes } from './tables.ts'

/** Recipient, purpose and target page of an invitation. */
export interface Invitation {
  readonly userId: string
  readonly email: string
  readonly purpose: string
  /** URL of the activation page; the code is added as `code`. */
  readonly activationUrl: string
}

/** Issues a one-time code and sends a link with it, in the transaction of `tables`. */
export async function invite(
  tables: Tables,
  project: Project,
  { userId, email, purpose, activationUrl }: Invitation,
  options: ResolvedOptions,
): Promise<void> {
  const code = createSecret()
  await tables.insert(oneTimeCodes).values({
    projectId: project.id,
    hash: hashSecret(code),
    userId,
    expiresAt: after(options.now(), lifetimes.invitation),
  })
  const link = new URL(activationUrl)
  link.searchParams.set('code', code)
  const mail = {
    recipient: email,
    purpose,
    subject: `Your account for ${project.name}`,
    body: `Choose a password to use your account for ${project.name}:\n\n${link.href}\n`,
    code,
    link: link.href,
  }
  await sendMail(tables, project.id, mail, options)
}
