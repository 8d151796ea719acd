// Reference the declarations, because other packages also compile this file and would not
// find them.
// oxlint-disable-next-line typescript/triple-slash-reference -- a file of ambient declarations cannot be imported
/// <reference path="./oidc-provider.d.ts" />
import { and, eq, isNull } from 'drizzle-orm'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { InvalidGrant } from 'oidc-provider/lib/helpers/errors.js'
import type { Database, Tables } from '../database/database.ts'
import { findClient } from './clients.ts'
import { after, graceMs, lifetimes } from './lifetimes.ts'
import { endGrants, findState, isState, saveState, type State } from './sessions.ts'
import { type clients, oidcStates } from '../database/tables.ts'

export interface StateParts {
  readonly database: Database
  readonly projectId: number
  readonly now: () => Date
}

/**
 * Stores the state of the authorization server in the database, by kind and project. Ids
 * are stored as hashes.
 *
 * The library uses the machine's time. Timestamps are shifted when they are read, so that
 * state expires by the platform's clock, even if it is frozen or advanced.
 */
export const stateAdapter = (parts: StateParts) => (kind: string) => createAdapter(parts, kind)

function createAdapter({ database, projectId, now }: StateParts, kind: string): Adapter {
  const scoped = <T>(work: (tables: Tables) => Promise<T>) => database.scoped(projectId, work)
  const read = (row: State | undefined, id?: string) =>
    row && row.expiresAt > now() ? payloadOf(row, id, now()) : undefined
  return {
    upsert: (id, payload, expiresIn = lifetimes.absolute) =>
      scoped(async (tables) => {
        const { jti, ...rest } = payload
        await saveState(tables, projectId, kind, id, {
          // A session is also found by `uid`, so that its id must be readable.
          payload: kind === 'Session' ? { ...rest, jti } : rest,
          uid: payload.uid ?? (payload['sessionUid'] as string | undefined) ?? null,
          grantId: payload.grantId ?? (kind === 'Grant' ? id : null),
          accountId: payload.accountId ?? signedInBy(payload) ?? null,
          expiresAt: after(now(), expiresIn),
        })
      }),
    find: (id) =>
      scoped(async (tables) => {
        if (kind !== 'Client') return read(await findState(tables, kind, id), id)
        const client = await findClient(tables, id)
        return client && metadataOf(client)
      }),
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

/** Returns the user who has signed in to an interaction that has not ended yet. */
const signedInBy = ({ result }: AdapterPayload): string | undefined =>
  (result as { readonly login?: { readonly accountId?: string } } | undefined)?.login?.accountId

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
  // Within the grace period, do not report the token as used, because that would end the session.
  const isUsed = row.consumedAt && now.getTime() - row.consumedAt.getTime() > graceMs
  if (isUsed || (row.consumedAt && row.kind !== 'RefreshToken')) payload.consumed = exp
  return payload
}

/** Returns the metadata of a client, which is registered with the project. */
function metadataOf(row: typeof clients.$inferSelect): AdapterPayload {
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
