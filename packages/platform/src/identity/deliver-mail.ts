import { eq } from 'drizzle-orm'
import { mails } from '../database/tables.ts'
import { delayJob, finishJob, type JobHandler } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { findByName } from './users.ts'

/** Delays before retries in ms; each is twice the one before, up to the longest. */
const retryMs = { first: 5000, longest: 1_800_000 }

/** Delivers mails: one attempt per job. Delivered codes must not stay readable in the inbox. */
export function mailDelivery({ database, projects, options }: Services): JobHandler {
  return async (job) => {
    const bySeq = eq(mails.seq, job.subject)
    const project = (await projects.list()).find(({ id }) => id === job.projectId)
    const mail = await database.scoped(job.projectId, async (tables) => {
      const [row] = await tables.select().from(mails).where(bySeq)
      return (
        row && { ...row, language: (await findByName(tables, row.recipient))?.language ?? null }
      )
    })
    try {
      if (mail && project) await options.sendMail?.({ ...mail, project, tries: job.tries })
    } catch (error) {
      options.onError(error as Error)
      const pauseMs = Math.min(retryMs.first * 2 ** (job.tries - 1), retryMs.longest)
      return delayJob(database.unscoped, job, new Date(options.now().getTime() + pauseMs))
    }
    await database.scoped(job.projectId, async (tables) => {
      if (options.sendMail) await tables.delete(mails).where(bySeq)
      await finishJob(tables, job)
    })
  }
}
