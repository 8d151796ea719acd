// Reference the declarations, because other packages also compile this file and would not
// find them.
// oxlint-disable-next-line typescript/triple-slash-reference -- a file of ambient declarations cannot be imported
/// <reference path="./oidc-provider.d.ts" />
import { and, eq, isNull } from 'drizzle-orm'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { InvalidGrant } from 'oidc-provider/lib/helpers/errors.js'
import type { Database } from '../database/database.ts'
import { findClient } from './clients.ts'
import { graceMs, lifetimes } from './lifetimes.ts'
import { endGrants, findState, isState, saveState, type State } from './sessions.ts'
import { oidcStates } from './tables.ts'

/** Dependencies of the adapter. */
export interface StateParts {
  readonly database: Database
  readonly projectId: number
  readonly now: () => Date
}

/** Kinds that are looked up by another index, so that their id must be readable. */
const hasReadableId = new Set(['Session'])

/**
 * Stores the state of the authorization server in the database, by kind and project. Ids
 * are stored as hashes. A session's id is also in the payload, because sessions are
 * looked up by `uid` as well.
 *
 * The library uses the machine's time. Timestamps are shifted when they are read, so that
 * state expires by the platform's clock, even if it is frozen or advanced.
 */
export const stateAdapter =
  (parts: StateParts) =>
  (kind: string): Adapter => {
    const adapter = modelAdapter(parts, kind)
    return kind === 'Client' ? { ...adapter, find: (id) => findMetadata(parts, id) } : adapter
  }

function modelAdapter({ database, projectId, now }: StateParts, kind: string): Adapter {
  const scoped: <T>(work: Parameters<typeof database.scoped<T>>[1]) => Promise<T> = (work) =>
    database.scoped(projectId, work)
  const read = (row: State | undefined, id?: string) =>
    row && row.expiresAt > now() ? payloadOf(row, id, now()) : undefined
  return {
    upsert: (id, payload, expiresIn = lifetimes.absolute) =>
      scoped(async (tables) => {
        const { jti, ...rest } = payload
        const values = {
          payload: hasReadableId.has(kind) ? { ...rest, jti } : rest,
          uid: payload.uid ?? (payload['sessionUid'] as string | undefined) ?? null,
          grantId: payload.grantId ?? (kind === 'Grant' ? id : null),
          accountId: payload.accountId ?? null,
          expiresAt: new Date(now().getTime() + expiresIn * 1000),
        }
        await saveState(tables, projectId, kind, id, values)
      }),
    find: (id) => scoped(async (tables) => read(await findState(tables, kind, id), id)),
    findByUid: (uid) =>
      scoped(async (tables) => {
        const isNamed = and(eq(oidcStates.kind, kind), eq(oidcStates.uid, uid))
        const [row] = await tables.select().from(oidcStates).where(isNamed)
        return read(row)
      }),
    findByUserCode: async () => undefined,
    destroy: (id) =>
      scoped(async (tables) => {
        await tables.delete(oidcStates).where(isState(kind, id))
      }),
    consume: async (id) => {
      const { rowCount } = await scoped((tables) =>
        tables
          .update(oidcStates)
          .set({ consumedAt: now() })
          .where(and(isState(kind, id), isNull(oidcStates.consumedAt))),
      )
      if (rowCount === 0) throw new InvalidGrant('it was used already')
    },
    revokeByGrantId: (grantId) => scoped((tables) => endGrants(tables, [grantId], now())),
  }
}

function payloadOf(row: State, id: string | undefined, now: Date): AdapterPayload {
  const payload: AdapterPayload = { ...row.payload }
  if (id !== undefined) payload.jti = id
  const remaining = Math.ceil((row.expiresAt.getTime() - now.getTime()) / 1000)
  const exp = Math.floor(Date.now() / 1000) + remaining
  const shift = typeof payload.exp === 'number' ? exp - payload.exp : 0
  for (const name of ['exp', 'iat', 'iiat', 'loginTs', 'authTime'] as const) {
    const value = payload[name]
    if (typeof value === 'number') payload[name] = value + shift
  }
  // Within the grace period, do not report the token as used, because that would end the
  // session.
  const isUsed = row.consumedAt && now.getTime() - row.consumedAt.getTime() > graceMs
  if (isUsed || (row.consumedAt && row.kind !== 'RefreshToken')) payload.consumed = exp
  return payload
}

/** Returns the metadata of a client, which is registered with the project. */
async function findMetadata(
  { database, projectId }: StateParts,
  clientId: string,
): Promise<AdapterPayload | undefined> {
  const row = await database.scoped(projectId, (tables) => findClient(tables, clientId))
  if (!row) return undefined
  const hasRedirects = row.redirectUris.length > 0
  const hasSecret = row.secretHash !== null
  return {
    client_id: row.clientId,
    client_name: row.name,
    redirect_uris: row.redirectUris,
    post_logout_redirect_uris: row.postLogoutRedirectUris,
    response_types: hasRedirects ? ['code'] : [],
    grant_types: [
      ...(hasRedirects ? ['authorization_code', 'refresh_token'] : []),
      ...(hasSecret ? ['client_credentials'] : []),
    ],
    token_endpoint_auth_method: hasSecret ? 'client_secret_post' : 'none',
    // The secret in a request is hashed before it gets here; see `attempts.ts`.
    ...(hasSecret ? { client_secret: row.secretHash! } : {}),
  }
}
