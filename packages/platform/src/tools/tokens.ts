import { sql } from 'drizzle-orm'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tables } from '../database/database.ts'
import { decrypt, encrypt } from '../identity/secrets.ts'
import type { Project } from '../projects/project-directory.ts'
import { instant } from '../queue/jobs.ts'
import type { Services } from '../services.ts'
import { requestToken, type Tokens } from './request-token.ts'
import { findAuth } from './store.ts'
import { codeFlowOf } from './tool.ts'

/** Remaining lifetime at which a token is renewed, in ms. */
const spareMs = 30_000
/** Time limit of a renewal before another one may start, in ms. */
const renewalMs = 30_000
const pauseMs = 50

/** Token of a connected tool, for the caller of the tool. */
export interface ToolToken {
  readonly accessToken: string
  readonly tokenType: string
  readonly scope: string | null
  readonly expiresAt: string | null
}

/** Reason why there is no token. */
export interface NoToken {
  readonly fault: string
  /** True if a later request may succeed. */
  readonly isPassing: boolean
}

/** Tool of a project. */
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
  const { expires_in: seconds, refresh_token: refresh } = tokens
  const expiresAt = seconds === undefined ? null : new Date(now.getTime() + seconds * 1000)
  const seal = (token: string, kind: string) => encrypt(token, secret, [projectId, toolId, kind])
  await tables.execute(sql`
    insert into servicekit.tool_tokens as old (project_id, tool_id, access_token, refresh_token,
      token_type, scope, expires_at, received_at)
    values (${projectId}::int, ${toolId}, ${seal(tokens.access_token, 'access')},
      ${refresh === undefined ? null : seal(refresh, 'refresh')}, ${tokens.token_type}, ${scope},
      ${expiresAt?.toISOString() ?? null}::timestamptz, ${instant(now)})
    on conflict (project_id, tool_id) do update set access_token = excluded.access_token,
      refresh_token = coalesce(excluded.refresh_token, old.refresh_token),
      token_type = excluded.token_type, scope = excluded.scope, expires_at = excluded.expires_at,
      received_at = excluded.received_at, renewing_until = null`)
}

interface Row extends Record<string, unknown> {
  readonly access_token: string
  readonly refresh_token: string | null
  readonly token_type: string
  readonly scope: string | null
  readonly expires_at: Date | string | null
}

const notConnected: NoToken = { fault: 'The tool is not connected.', isPassing: false }

/**
 * Returns the token of a tool, renewed if it expires and the authorization server issued a
 * refresh token. Concurrent callers, here and on other instances, get the same new token.
 */
export async function currentToken(
  services: Services,
  { id: projectId }: Project,
  toolId: string,
): Promise<ToolToken | NoToken> {
  const { database, options } = services
  const secret = await services.secret()
  if (secret === undefined) return notConnected
  const place = { projectId, toolId }
  const deadline = performance.now() + renewalMs
  for (;;) {
    const row = await database.scoped(projectId, (tables) => read(tables, toolId))
    const accessToken = row && decrypt(row.access_token, secret, [projectId, toolId, 'access'])
    if (!row || accessToken === undefined) return notConnected
    const expires = row.expires_at === null ? undefined : new Date(row.expires_at)
    const left = expires ? expires.getTime() - options.now().getTime() : Infinity
    const refresh =
      row.refresh_token && decrypt(row.refresh_token, secret, [projectId, toolId, 'refresh'])
    if (left > spareMs || (left > 0 && !refresh)) {
      const expiresAt = expires?.toISOString() ?? null
      return { accessToken, tokenType: row.token_type, scope: row.scope, expiresAt }
    }
    if (!refresh) {
      return { fault: 'The token is over, and there is none to renew it.', isPassing: false }
    }
    if (await database.scoped(projectId, (tables) => claim(tables, toolId, row))) {
      const fault = await renew(services, place, { refresh, scope: row.scope, secret })
      if (fault) return fault
    } else if (performance.now() > deadline) {
      return { fault: 'The token is being renewed, which takes too long.', isPassing: true }
    } else {
      await sleep(pauseMs)
    }
  }
}

async function read(tables: Tables, toolId: string): Promise<Row | undefined> {
  const { rows } = await tables.execute<Row>(sql`
    select access_token, refresh_token, token_type, scope, expires_at
    from servicekit.tool_tokens where tool_id = ${toolId}`)
  return rows[0]
}

/**
 * Acquires the renewal lock, by the database's clock.
 *
 * @returns false if another caller holds the lock, or renewed the token since the row was
 * read.
 */
async function claim(tables: Tables, toolId: string, { refresh_token }: Row): Promise<boolean> {
  const { rowCount } = await tables.execute(sql`
    update servicekit.tool_tokens
    set renewing_until = clock_timestamp() + ${renewalMs}::float8 * interval '1 ms'
    where tool_id = ${toolId} and refresh_token = ${refresh_token}
      and (renewing_until is null or renewing_until < clock_timestamp())`)
  return rowCount === 1
}

async function renew(
  services: Services,
  place: ToolRef,
  { refresh, scope, secret }: { refresh: string; scope: string | null; secret: string },
): Promise<NoToken | undefined> {
  const { database } = services
  const { projectId, toolId } = place
  const stored = await database.scoped(projectId, (tables) =>
    findAuth(tables, projectId, toolId, secret),
  )
  const auth = stored && codeFlowOf(stored)
  const answer =
    !auth || 'fault' in auth
      ? { fault: 'the tool is not configured for it any more', isRefused: true }
      : await requestToken(services, auth, { grant_type: 'refresh_token', refresh_token: refresh })
  return database.scoped(projectId, async (tables) => {
    if (answer.fault === undefined) {
      const { tokens } = answer
      await saveTokens(services, tables, place, { tokens, scope: tokens.scope ?? scope, secret })
      return undefined
    }
    // A rejected grant is not retried: a user has to consent again.
    await tables.execute(
      answer.isRefused
        ? sql`delete from servicekit.tool_tokens where tool_id = ${toolId}`
        : sql`update servicekit.tool_tokens set renewing_until = null where tool_id = ${toolId}`,
    )
    const fault = `The token was not renewed: ${answer.fault}.`
    return { fault, isPassing: !answer.isRefused }
  })
}
