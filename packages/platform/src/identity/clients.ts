import { asc, eq } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { clients } from '../database/tables.ts'

export async function findClient(tables: Tables, clientId: string) {
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

export const removeClient = (tables: Tables, clientId: string) =>
  tables.delete(clients).where(eq(clients.clientId, clientId))
