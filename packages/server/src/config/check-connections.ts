import { onceResolved } from '@servicekit/core'
import { type DatabaseFacts, inspectDatabase } from '@servicekit/platform'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyMail } from '../mail/create-mailer.ts'
import { checkCertificate, checkControlToken } from './check-public-url.ts'
import { checkStorage } from './check-storage.ts'
import {
  type ConnectionCheck,
  type ConnectionResult,
  failed,
  ok,
  skipped,
  variableOf,
} from './connection-result.ts'
import type { Settings } from './settings.ts'

/** Time in ms that one check, whose steps have limits of their own, may take. */
const timeoutMs = 60_000
/** The database's time is used, but clocks that differ more make logs hard to compare. */
const maxSkewMs = 2000

/**
 * Connects to everything that the settings name. It writes a file to the storage and removes it,
 * signs in to the mail server without sending a mail, and otherwise only reads.
 *
 * @param isFixing creates a missing bucket or container, and lets the pages of `publicUrl` and
 * `origins` use its signed URLs.
 */
export async function checkConnections(
  settings: Settings,
  isFixing: boolean,
): Promise<readonly ConnectionCheck[]> {
  const database = onceResolved(() => inspectDatabase(settings.databaseUrl!))
  const checks: readonly (readonly [string, () => Promise<readonly ConnectionResult[]>])[] = [
    ['database', async () => [await checkDatabase(settings, database)]],
    ['replica', async () => [await checkReplica(settings)]],
    ['clock', async () => [await checkClock(settings, database)]],
    ['storage', () => checkStorage(settings, isFixing)],
    ['mail', async () => [await checkMail(settings)]],
    ['certificate', async () => [await checkCertificate(settings)]],
    ['control token', async () => [await checkControlToken(settings)]],
  ]
  const results = await Promise.all(
    checks.map(async ([name, check]) =>
      (await withinTime(check)).map((result) => ({ name, ...result })),
    ),
  )
  return results.flat()
}

/** Returns the results of a check; an error or too long a wait is a failure. */
async function withinTime(
  check: () => Promise<readonly ConnectionResult[]>,
): Promise<readonly ConnectionResult[]> {
  const limit = sleep(timeoutMs, [failed(`No response within ${timeoutMs / 1000} s.`)], {
    ref: false,
  })
  const results = check().catch((error: Error) => [failed(error.message)])
  return Promise.race([results, limit])
}

async function checkDatabase(
  { databaseUrl, migrations, dataDir }: Settings,
  inspect: () => Promise<DatabaseFacts>,
): Promise<ConnectionResult> {
  if (databaseUrl === undefined) return skipped(`The embedded database in ${dataDir} is used.`)
  const { version, pendingMigrations } = await inspect().catch(withVariable('databaseUrl'))
  if (pendingMigrations.length === 0) return ok(`PostgreSQL ${version}, with all migrations.`)
  const pending = pendingMigrations.join(', ')
  if (migrations === 'apply') {
    return ok(`PostgreSQL ${version}. The start applies the migrations ${pending}.`)
  }
  return failed(
    `PostgreSQL ${version} lacks the migrations ${pending}. Run npx servicekit migrate-database.`,
  )
}

async function checkReplica({ replicaUrl }: Settings): Promise<ConnectionResult> {
  if (replicaUrl === undefined) return skipped('None is set.')
  const { version } = await inspectDatabase(replicaUrl).catch(withVariable('replicaUrl'))
  return ok(`PostgreSQL ${version}.`)
}

async function checkClock(
  { databaseUrl }: Settings,
  inspect: () => Promise<DatabaseFacts>,
): Promise<ConnectionResult> {
  if (databaseUrl === undefined) return skipped('One machine has one clock.')
  const facts = await inspect().catch(() => undefined)
  if (!facts) return skipped('Compared with that of the database, which does not respond.')
  const { clockSkewMs } = facts
  const difference = `${Math.abs(clockSkewMs)} ms ${clockSkewMs < 0 ? 'behind' : 'ahead of'} the clock of the database`
  return Math.abs(clockSkewMs) <= maxSkewMs
    ? ok(`${difference}.`)
    : failed(`${difference}. Synchronise both, for example with chrony.`)
}

async function checkMail({ mail }: Settings): Promise<ConnectionResult> {
  if (mail.host === undefined) {
    return skipped('None is set: mails stay in the inbox of the control routes.')
  }
  const problem = await verifyMail(mail)
  return problem === undefined
    ? ok(`${mail.host}:${mail.port} accepts the connection and the user.`)
    : failed(`${mail.host}:${mail.port}: ${problem}`)
}

/** Adds the variable to change to the error of a connection to PostgreSQL. */
const withVariable =
  (name: string) =>
  ({ message, details }: Error & { readonly details?: { readonly reason?: string } }): never => {
    const reason = details?.reason ?? message
    throw new Error(`${reason}. Check ${variableOf(name)}.`)
  }
