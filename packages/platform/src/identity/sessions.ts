import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import { after, lifetimes } from './lifetimes.ts'
import { oidcStates, sessions } from './tables.ts'

/** Dependencies of session operations. */
export interface SessionParts {
  readonly database: Database
  readonly projectId: number
  readonly now: () => Date
}

/** Revokes all sessions of the grants, and deletes their tokens. */
async function endGrants(tables: Tables, grants: readonly string[], now: Date): Promise<void> {
  if (grants.length === 0) return
  await tables
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(inArray(sessions.grantId, [...grants]), isNull(sessions.revokedAt)))
  await tables.delete(oidcStates).where(inArray(oidcStates.grantId, [...grants]))
}

/** Ends a sign-in at the authorization server, and all sessions created by it. */
export const endLogin = ({ database, projectId, now }: SessionParts, uid: string): Promise<void> =>
  database.scoped(projectId, async (tables) => {
    const rows = await tables.select().from(oidcStates).where(eq(oidcStates.uid, uid))
    const grants = rows.flatMap(({ grantId }) => grantId ?? [])
    await endGrants(tables, grants, now())
    await tables.delete(oidcStates).where(eq(oidcStates.uid, uid))
  })

/** Ends one session, and its sign-in at the authorization server. */
export const endSession = (
  { database, projectId, now }: SessionParts,
  grantId: string,
): Promise<void> =>
  database.scoped(projectId, async (tables) => {
    const tokens = await tables.select().from(oidcStates).where(eq(oidcStates.grantId, grantId))
    const logins = tokens.flatMap(({ uid }) => uid ?? [])
    await endGrants(tables, [grantId], now())
    if (logins.length === 0) return
    const isLogin = and(eq(oidcStates.kind, 'Session'), inArray(oidcStates.uid, logins))
    await tables.delete(oidcStates).where(isLogin)
  })

/** Ends all sessions and tokens of a user, in the transaction of `tables`. */
export async function endSessionsOf(tables: Tables, userId: string, now: Date): Promise<void> {
  await tables
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
  await tables.delete(oidcStates).where(eq(oidcStates.accountId, userId))
}

/** Updates the expiry of a session after a refresh. */
export const renewSession = (
  { database, projectId, now }: SessionParts,
  grantId: string,
): Promise<unknown> =>
  database.scoped(projectId, async (tables) => {
    const [row] = await tables.select().from(sessions).where(eq(sessions.grantId, grantId))
    if (!row) return
    const idle = after(now(), lifetimes.idle)
    await tables
      .update(sessions)
      .set({
        lastActivityAt: now(),
        idleExpiresAt: idle < row.absoluteExpiresAt ? idle : row.absoluteExpiresAt,
      })
      .where(eq(sessions.grantId, grantId))
  })
