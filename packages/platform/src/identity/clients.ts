import { stringProblem } from '@servicekit/core'
import { asc, eq, sql } from 'drizzle-orm'
import { callFunction } from '../database/call-function.ts'
import type { Tables, Unscoped } from '../database/database.ts'
import { clients } from '../database/tables.ts'
import { endMachineTokens, endSessionsOfClient } from './sessions.ts'
import { createSecret, hashSecret } from '../secrets.ts'

export async function findClient(tables: Tables, clientId: string) {
  const [client] = await tables.select().from(clients).where(eq(clients.clientId, clientId))
  return client
}

/** Client as the authorization server sees it. */
export type RegisteredClient = Pick<
  typeof clients.$inferSelect,
  'clientId' | 'name' | 'secretHash' | 'redirectUris' | 'postLogoutRedirectUris'
>

/** Finds a client of a project, in one statement without a scope. */
export async function findClientOf(
  unscoped: Unscoped,
  projectId: number,
  id: string,
): Promise<RegisteredClient | undefined> {
  // PostgreSQL rejects strings with U+0000; no client has such an id.
  if (id.includes('\0')) return undefined
  return callFunction<RegisteredClient>(unscoped, sql`find_client(${projectId}, ${id})`)
}

/** Lists the clients of the scope's project by id, without the hashes of their secrets. */
export async function listClients(tables: Tables) {
  const rows = await tables.select().from(clients).orderBy(asc(clients.clientId))
  return rows.map(({ projectId: _, secretHash, previousSecretHash: __, ...client }) => ({
    ...client,
    hasSecret: secretHash !== null,
  }))
}

/** Removes a client with its sessions and tokens. @returns true if there was such a client. */
export async function removeClient(tables: Tables, clientId: string, now: Date): Promise<boolean> {
  const { rowCount } = await tables.delete(clients).where(eq(clients.clientId, clientId))
  await endSessionsOfClient(tables, clientId, now)
  return rowCount === 1
}

/**
 * Creates a client with a new secret. Only its hash is stored.
 *
 * @returns the secret; undefined if the client exists.
 */
export async function createClient(
  tables: Tables,
  client: Omit<typeof clients.$inferInsert, 'secretHash'>,
): Promise<string | undefined> {
  const secret = createSecret()
  const values = { ...client, secretHash: hashSecret(secret) }
  const { rowCount } = await tables.insert(clients).values(values).onConflictDoNothing()
  return rowCount === 1 ? secret : undefined
}

/**
 * Replaces the secret of a client. The one before stays valid until an instant; if that is now, it
 * was exposed, and the tokens that it got become invalid, too.
 *
 * @returns the new secret; undefined if there is no such client.
 */
export async function rotateSecret(
  tables: Tables,
  clientId: string,
  previousSecretUntil: Date,
  now: Date,
): Promise<string | undefined> {
  const secret = createSecret()
  const { rowCount } = await tables
    .update(clients)
    .set({
      secretHash: hashSecret(secret),
      previousSecretHash: sql`secret_hash`,
      previousSecretUntil,
    })
    .where(eq(clients.clientId, clientId))
  if (previousSecretUntil <= now) await endMachineTokens(tables, clientId)
  return rowCount === 1 ? secret : undefined
}

/**
 * Returns the hash of the current secret of a client for that of a valid one: the current or the
 * previous secret. A client without a secret has nothing to guess: every hash is returned.
 */
export async function currentHash(
  tables: Tables,
  clientId: string,
  hash: string,
  now: Date,
): Promise<string | undefined> {
  const client = stringProblem(clientId) ? undefined : await findClient(tables, clientId)
  if (!client) return undefined
  const { secretHash, previousSecretHash, previousSecretUntil } = client
  if (secretHash === null || secretHash === hash) return hash
  const isPrevious = previousSecretHash === hash && previousSecretUntil !== null
  return isPrevious && previousSecretUntil > now ? secretHash : undefined
}
