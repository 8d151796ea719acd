import { asc, eq } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { IdentityFile } from './parse-identity.ts'
import { hashSecret } from './secrets.ts'
import { clients } from './tables.ts'

/** Registered OAuth client. */
export type Client = typeof clients.$inferSelect

/** Returns the client with an id. */
export async function findClient(tables: Tables, clientId: string): Promise<Client | undefined> {
  const [client] = await tables.select().from(clients).where(eq(clients.clientId, clientId))
  return client
}

/** Lists the clients of the scope's project by id, without the hashes of their secrets. */
export async function listClients(tables: Tables) {
  const rows = await tables.select().from(clients).orderBy(asc(clients.clientId))
  return rows.map(({ projectId: _, secretHash, ...client }) => ({
    ...client,
    hasSecret: secretHash !== null,
  }))
}

/** Inserts or updates clients. */
export async function saveClients(
  tables: Tables,
  projectId: number,
  entries: NonNullable<IdentityFile['clients']>,
): Promise<void> {
  for (const { clientId, ...entry } of entries) {
    const values = {
      name: entry.name ?? clientId,
      secretHash: entry.clientSecret === undefined ? null : hashSecret(entry.clientSecret),
      redirectUris: entry.redirectUris ?? [],
      postLogoutRedirectUris: entry.postLogoutRedirectUris ?? [],
      organizations: entry.organizations ?? null,
      roles: [...new Set(entry.roles)],
    }
    await tables
      .insert(clients)
      .values({ projectId, clientId, ...values })
      .onConflictDoUpdate({ target: [clients.projectId, clients.clientId], set: values })
  }
}

/** Removes a client. @returns true if it existed. */
export async function removeClient(tables: Tables, clientId: string): Promise<boolean> {
  const { rowCount } = await tables.delete(clients).where(eq(clients.clientId, clientId))
  return rowCount === 1
}
