// Reference the declarations, because other packages also compile this file and would not
// find them.
// oxlint-disable-next-line typescript/triple-slash-reference -- a file of ambient declarations cannot be imported
/// <reference path="./oidc-provider.d.ts" />
import { and, isNull, type SQL, sql } from 'drizzle-orm'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { InvalidGrant } from 'oidc-provider/lib/helpers/errors.js'
import type { Database, Tables } from '../database/database.ts'
import { after, graceMs, lifetimes } from './lifetimes.ts'
import { endGrants, isState, type State } from './sessions.ts'
import { type clients, oidcStates } from '../database/tables.ts'
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
  const scoped = <T>(work: (tables: Tables) => Promise<T>) => database.scoped(projectId, work)
  /** Calls a function of the database that returns one value or null. */
  const callFunction = async <T>(call: SQL): Promise<T | undefined> => {
    const { rows } = await database.unscoped.execute<{ value: T | null }>(
      sql`select servicekit.${call} as value`,
    )
    return rows[0]?.value ?? undefined
  }
  const read = async (call: SQL, id?: string): Promise<AdapterPayload | undefined> => {
    const found = await callFunction<PrintedState>(call)
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
      const stored = JSON.stringify(kind === 'Session' ? { ...rest, jti } : rest)
      const uid = payload.uid ?? (payload['sessionUid'] as string | undefined) ?? null
      const grantId = payload.grantId ?? (kind === 'Grant' ? id : null)
      const accountId = payload.accountId ?? signedInBy(payload) ?? null
      await callFunction(sql`save_state(${projectId}, ${kind}, ${hashSecret(id)}, ${stored}, ${uid},
        ${grantId}, ${accountId}, ${after(now(), expiresIn)})`)
    },
    find: async (id) => {
      if (kind !== 'Client') {
        return read(sql`find_state(${projectId}, ${kind}, ${hashSecret(id)})`, id)
      }
      // PostgreSQL rejects strings with U+0000; no client has such an id.
      if (id.includes('\0')) return undefined
      const client = await callFunction<ClientRow>(sql`find_client(${projectId}, ${id})`)
      return client && metadataOf(client)
    },
    findByUid: (uid) => read(sql`find_state_by_uid(${projectId}, ${kind}, ${uid})`),
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

type ClientRow = Pick<
  typeof clients.$inferSelect,
  'clientId' | 'name' | 'secretHash' | 'redirectUris' | 'postLogoutRedirectUris'
>

/** Returns the metadata of a client, which is registered with the project. */
function metadataOf(row: ClientRow): AdapterPayload {
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
