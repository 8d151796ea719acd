// Reference the declarations, because other packages also compile this file and would not
// find them.
// oxlint-disable-next-line typescript/triple-slash-reference -- a file of ambient declarations cannot be imported
/// <reference path="./oidc-provider.d.ts" />
import { type SQL, sql } from 'drizzle-orm'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { InvalidGrant } from 'oidc-provider/lib/helpers/errors.js'
import { callFunction } from '../database/call-function.ts'
import type { Database } from '../database/database.ts'
import { findClientOf, type RegisteredClient } from './clients.ts'
import { after, graceMs, lifetimes } from './lifetimes.ts'
import { endGrants, saveState, type State, takeState } from './sessions.ts'
import { hashSecret } from '../secrets.ts'

export interface StateContext {
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
export const stateAdapter = (parts: StateContext) => (kind: string) => createAdapter(parts, kind)

function createAdapter({ database, projectId, now }: StateContext, kind: string): Adapter {
  const { unscoped } = database
  const read = async (call: SQL, id?: string): Promise<AdapterPayload | undefined> => {
    const found = await callFunction<PrintedState>(unscoped, call)
    if (!found) return undefined
    const expiresAt = new Date(found.expiresAt)
    const consumedAt = found.consumedAt === null ? null : new Date(found.consumedAt)
    const row = { kind, payload: found.payload, expiresAt, consumedAt }
    return expiresAt > now() ? payloadOf(row, id, now()) : undefined
  }
  return {
    upsert: async (id, payload, expiresIn = lifetimes.absolute) => {
      const { jti, ...rest } = payload
      // A session is also found by `uid`, so that its id must be readable.
      await saveState(unscoped, projectId, kind, id, {
        payload: kind === 'Session' ? { ...rest, jti } : rest,
        uid: payload.uid ?? (payload['sessionUid'] as string | undefined),
        grantId: payload.grantId ?? (kind === 'Grant' ? id : undefined),
        accountId: payload.accountId ?? signedInBy(payload),
        expiresAt: after(now(), expiresIn),
      })
    },
    find: async (id) => {
      if (kind !== 'Client') {
        return read(sql`find_state(${projectId}, ${kind}, ${hashSecret(id)})`, id)
      }
      const client = await findClientOf(unscoped, projectId, id)
      return client && metadataOf(client)
    },
    findByUid: (uid) => read(sql`find_state_by_uid(${projectId}, ${kind}, ${uid})`),
    findByUserCode: async () => undefined,
    destroy: async (id) => {
      await takeState(unscoped, projectId, kind, id)
    },
    consume: async (id) => {
      const call = sql`consume_state(${projectId}, ${kind}, ${hashSecret(id)}, ${now()})`
      if (!(await callFunction<boolean>(unscoped, call))) {
        throw new InvalidGrant('it was used already')
      }
    },
    revokeByGrantId: (grantId) =>
      database.scoped(projectId, (tables) => endGrants(tables, [grantId], now())),
  }
}

/** Returns the user who has signed in to an interaction that has not ended yet. */
const signedInBy = ({ result }: AdapterPayload): string | undefined =>
  (result as { readonly login?: { readonly accountId?: string } } | undefined)?.login?.accountId

/** State as PostgreSQL prints it. */
interface PrintedState extends Pick<State, 'payload'> {
  readonly expiresAt: string
  readonly consumedAt: string | null
}

type StoredState = Pick<State, 'kind' | 'payload' | 'expiresAt' | 'consumedAt'>

function payloadOf(row: StoredState, id: string | undefined, now: Date): AdapterPayload {
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
function metadataOf(row: RegisteredClient): AdapterPayload {
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
