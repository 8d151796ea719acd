import { and, desc, eq, gt, inArray, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { callFunction } from '../database/call-function.ts'
import type { Tables, Unscoped } from '../database/database.ts'
import { oidcStates, oneTimeCodes, sessions, type users } from '../database/tables.ts'
import { after, lifetimes } from './lifetimes.ts'
import { hashSecret } from '../secrets.ts'

/** State of the authorization server or of a sign-in, such as a token or a code. */
export type State = typeof oidcStates.$inferSelect

/** Condition on `oidcStates`: a state by its id, of which only a hash is stored. */
export const isState = (kind: string, id: string) =>
  and(eq(oidcStates.kind, kind), eq(oidcStates.hash, hashSecret(id)))

export async function findState(
  tables: Tables,
  kind: string,
  id: string,
): Promise<State | undefined> {
  const [state] = await tables.select().from(oidcStates).where(isState(kind, id))
  return state
}

interface NewState extends Pick<State, 'payload' | 'expiresAt'> {
  readonly uid?: string | undefined
  readonly grantId?: string | undefined
  readonly accountId?: string | undefined
}

/** Saves a state or replaces it, in one statement that needs no scope. */
export const saveState = (
  tables: Unscoped,
  projectId: number,
  kind: string,
  id: string,
  { payload, uid, grantId, accountId, expiresAt }: NewState,
): Promise<unknown> =>
  callFunction(
    tables,
    sql`save_state(${projectId}, ${kind}, ${hashSecret(id)}, ${JSON.stringify(payload)}, ${uid ?? null},
      ${grantId ?? null}, ${accountId ?? null}, ${expiresAt})`,
  )

/** Removes a state, so that it is used once, in one statement without a scope. */
export async function takeState(unscoped: Unscoped, projectId: number, kind: string, id: string) {
  const call = sql`remove_state(${projectId}, ${kind}, ${hashSecret(id)})`
  type Taken = { readonly payload: State['payload']; readonly expiresAt: string }
  const taken = await callFunction<Taken>(unscoped, call)
  return taken && { payload: taken.payload, expiresAt: new Date(taken.expiresAt) }
}

async function revoke(tables: Tables, condition: SQL, revokedAt: Date): Promise<void> {
  await tables
    .update(sessions)
    .set({ revokedAt })
    .where(and(condition, isNull(sessions.revokedAt)))
}

/** Revokes all sessions of the grants, and deletes their tokens. */
export async function endGrants(tables: Tables, grants: string[], now: Date): Promise<void> {
  await revoke(tables, inArray(sessions.grantId, grants), now)
  await tables.delete(oidcStates).where(inArray(oidcStates.grantId, grants))
}

/** Ends a sign-in at the authorization server, and all sessions created by it. */
export async function endLogin(tables: Tables, uid: string, now: Date): Promise<void> {
  const rows = await tables.select().from(oidcStates).where(eq(oidcStates.uid, uid))
  const grants = rows.flatMap(({ grantId }) => grantId ?? [])
  await endGrants(tables, grants, now)
  await tables.delete(oidcStates).where(eq(oidcStates.uid, uid))
}

/** Ends a session with its sign-in at the authorization server, and all sessions created by it. */
export async function endSession(tables: Tables, grantId: string, now: Date): Promise<void> {
  const tokens = await tables.select().from(oidcStates).where(eq(oidcStates.grantId, grantId))
  for (const uid of new Set(tokens.flatMap((token) => token.uid ?? []))) {
    await endLogin(tables, uid, now)
  }
  await endGrants(tables, [grantId], now)
}

/** Ends the session whose cookie the browser has, before a new sign-in replaces the cookie. */
export async function replaceSession(
  tables: Tables,
  cookie: string | undefined,
  newGrantId: string,
  now: Date,
): Promise<void> {
  if (cookie === undefined) return
  const isOld = and(eq(sessions.hash, hashSecret(cookie)), ne(sessions.grantId, newGrantId))
  const [old] = await tables.select().from(sessions).where(isOld)
  if (old) await endGrants(tables, [old.grantId], now)
}

/** Finds the session of a cookie with the name of its user, in one statement without a scope. */
export async function findSession(unscoped: Unscoped, projectId: number, cookie: string) {
  const { rows } = await unscoped.execute<{ session: SessionRow }>(sql`
    select session from servicekit.find_session(${projectId}, ${hashSecret(cookie)})`)
  const [row] = rows
  if (!row) return undefined
  const { createdAt, lastActivityAt, idleExpiresAt, absoluteExpiresAt, ...session } = row.session
  return {
    ...session,
    createdAt: new Date(createdAt),
    lastActivityAt: new Date(lastActivityAt),
    idleExpiresAt: new Date(idleExpiresAt),
    absoluteExpiresAt: new Date(absoluteExpiresAt),
  }
}

/** Session as PostgreSQL prints it. */
interface SessionRow extends Record<
  'createdAt' | 'lastActivityAt' | 'idleExpiresAt' | 'absoluteExpiresAt',
  string
> {
  readonly sessionId: string
  readonly userId: string
  readonly grantId: string
  readonly isRevoked: boolean
  readonly user: Pick<typeof users.$inferSelect, 'firstName' | 'lastName' | 'userName'> | null
}

/** Lists the sessions of a user that have not ended, the newest one first. */
export const listSessions = (tables: Tables, userId: string, now: Date) =>
  tables
    .select({
      sessionId: sessions.sessionId,
      clientId: sessions.clientId,
      createdAt: sessions.createdAt,
      lastActivityAt: sessions.lastActivityAt,
      expiresAt: sessions.idleExpiresAt,
    })
    .from(sessions)
    .where(
      and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.idleExpiresAt, now)),
    )
    .orderBy(desc(sessions.createdAt))

/** Ends all sessions of a user, and invalidates the codes that were mailed to the user. */
export async function endSessionsOf(tables: Tables, userId: string, now: Date): Promise<void> {
  await revoke(tables, eq(sessions.userId, userId), now)
  await tables.delete(oidcStates).where(eq(oidcStates.accountId, userId))
  await tables.delete(oneTimeCodes).where(eq(oneTimeCodes.userId, userId))
}

const isOfClient = (clientId: string): SQL =>
  sql`${oidcStates.payload} ->> 'clientId' = ${clientId}`

/** Ends all sessions and tokens that users and the client itself got through a client. */
export async function endSessionsOfClient(
  tables: Tables,
  clientId: string,
  now: Date,
): Promise<void> {
  await revoke(tables, eq(sessions.clientId, clientId), now)
  await tables.delete(oidcStates).where(isOfClient(clientId))
}

/** Invalidates the tokens that a machine client got with its secret. */
export async function endMachineTokens(tables: Tables, clientId: string): Promise<void> {
  const isMachineToken = eq(oidcStates.kind, 'ClientCredentials')
  await tables.delete(oidcStates).where(and(isMachineToken, isOfClient(clientId)))
}

/** Updates the expiry of a session after a refresh. */
export async function renewSession(tables: Tables, grantId: string, now: Date): Promise<void> {
  const idle = after(now, lifetimes.idle).toISOString()
  await tables
    .update(sessions)
    .set({
      lastActivityAt: now,
      idleExpiresAt: sql`least(${idle}::timestamptz, ${sessions.absoluteExpiresAt})`,
    })
    .where(eq(sessions.grantId, grantId))
}

/** Removes expired state, so that tables do not grow. Expired sessions are kept for one day. */
export async function removeExpired(tables: Tables, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - 24 * 3_600_000)
  await tables.delete(oidcStates).where(lt(oidcStates.expiresAt, now))
  await tables.delete(oneTimeCodes).where(lt(oneTimeCodes.expiresAt, now))
  await tables.delete(sessions).where(lt(sessions.absoluteExpiresAt, yesterday))
}
