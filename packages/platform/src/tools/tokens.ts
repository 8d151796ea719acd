import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tables } from '../database/database.ts'
import { decrypt, encrypt } from '../identity/secrets.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { requestToken, type Tokens } from './request-token.ts'
import { findAuth } from './store.ts'
import { toolTokens } from '../database/tables.ts'
import { codeFlowOf } from './tool.ts'

/** Remaining lifetime at which a token is renewed, in ms. */
const marginMs = 30_000
/** Time limit of a renewal before another one may start, in ms. */
const renewalMs = 30_000
const pollMs = 50

export interface NoToken {
  readonly error: string
  /** True if a later request may succeed. */
  readonly isTemporary: boolean
}

interface ToolRef {
  readonly projectId: number
  readonly toolId: string
}

/** Saves tokens, encrypted; without a new refresh token, the old one is kept. */
export async function saveTokens(
  { options }: Pick<Services, 'options'>,
  tables: Tables,
  { projectId, toolId }: ToolRef,
  { tokens, scope, secret }: { tokens: Tokens; scope: string | null; secret: string },
): Promise<void> {
  const now = options.now()
  const { access_token, refresh_token, token_type: tokenType, expires_in: seconds } = tokens
  const encrypted = (token: string, kind: string) =>
    encrypt(token, secret, [projectId, toolId, kind])
  const values = {
    accessToken: encrypted(access_token, 'access'),
    ...(refresh_token === undefined ? {} : { refreshToken: encrypted(refresh_token, 'refresh') }),
    tokenType,
    scope,
    expiresAt: seconds === undefined ? null : new Date(now.getTime() + seconds * 1000),
    receivedAt: now,
    renewingUntil: null,
  }
  await tables
    .insert(toolTokens)
    .values({ projectId, toolId, ...values })
    .onConflictDoUpdate({ target: [toolTokens.projectId, toolTokens.toolId], set: values })
}

const notConnected: NoToken = { error: 'The tool is not connected.', isTemporary: false }

/**
 * Returns the token of a tool, renewed if it expires and the authorization server issued a
 * refresh token. Concurrent callers, here and on other instances, get the same new token.
 */
export async function currentToken(services: Services, { id: projectId }: Project, toolId: string) {
  const { database, options } = services
  const secret = await services.secret()
  if (secret === undefined) return notConnected
  const tool = { projectId, toolId }
  const deadline = performance.now() + renewalMs
  for (;;) {
    const [row] = await database.scoped(projectId, (tables) =>
      tables.select().from(toolTokens).where(eq(toolTokens.toolId, toolId)),
    )
    const accessToken = row && decrypt(row.accessToken, secret, [projectId, toolId, 'access'])
    if (!row || accessToken === undefined) return notConnected
    const { expiresAt, tokenType, scope } = row
    const leftMs = expiresAt ? expiresAt.getTime() - options.now().getTime() : Infinity
    const refreshToken =
      row.refreshToken && decrypt(row.refreshToken, secret, [projectId, toolId, 'refresh'])
    if (leftMs > marginMs || (leftMs > 0 && !refreshToken)) {
      return { accessToken, tokenType, scope, expiresAt: expiresAt?.toISOString() ?? null }
    }
    if (!refreshToken) {
      const error = 'The token has expired, and there is no refresh token. Connect the tool again.'
      return { error, isTemporary: false }
    }
    if (await database.scoped(projectId, (tables) => lockRenewal(tables, row))) {
      const failed = await renew(services, tool, { refreshToken, scope, secret })
      if (failed) return failed
    } else if (performance.now() > deadline) {
      return { error: 'Another request has been renewing the token for 30 s.', isTemporary: true }
    } else {
      await sleep(pollMs)
    }
  }
}

/**
 * Acquires the renewal lock, by the database's clock.
 *
 * @returns false if another caller holds the lock, or renewed the token since the row was
 * read.
 */
async function lockRenewal(
  tables: Tables,
  { toolId, refreshToken }: typeof toolTokens.$inferSelect,
): Promise<boolean> {
  const now = sql`clock_timestamp()`
  const { rowCount } = await tables
    .update(toolTokens)
    .set({ renewingUntil: sql`${now} + ${renewalMs}::float8 * interval '1 ms'` })
    .where(
      and(
        eq(toolTokens.toolId, toolId),
        eq(toolTokens.refreshToken, refreshToken!),
        or(isNull(toolTokens.renewingUntil), lt(toolTokens.renewingUntil, now)),
      ),
    )
  return rowCount === 1
}

async function renew(
  services: Services,
  tool: ToolRef,
  {
    refreshToken,
    scope,
    secret,
  }: { readonly refreshToken: string; readonly scope: string | null; readonly secret: string },
): Promise<NoToken | undefined> {
  const { database } = services
  const { projectId, toolId } = tool
  const stored = await database.scoped(projectId, (tables) =>
    findAuth(tables, projectId, toolId, secret),
  )
  const auth = stored && codeFlowOf(stored)
  const response =
    !auth || 'error' in auth
      ? { error: 'the tool no longer has an authorization-code flow', isRejected: true }
      : await requestToken(services, auth, {
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
        })
  return database.scoped(projectId, async (tables) => {
    if (response.error === undefined) {
      const { tokens } = response
      await saveTokens(services, tables, tool, { tokens, scope: tokens.scope ?? scope, secret })
      return undefined
    }
    const isTool = eq(toolTokens.toolId, toolId)
    // A rejected grant is not retried: a user has to consent again.
    await (response.isRejected
      ? tables.delete(toolTokens).where(isTool)
      : tables.update(toolTokens).set({ renewingUntil: null }).where(isTool))
    const error = `Cannot renew the token: ${response.error}.`
    return { error, isTemporary: !response.isRejected }
  })
}
