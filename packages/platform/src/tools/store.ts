import type { tools as contract } from '@servicekit/contract/control'
import { and, arrayContains, asc, eq, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { stringProblem } from '@servicekit/core'
import { Invalid } from '../domain-errors.ts'
import type { Services } from '../services.ts'
import { agents, toolFlows, tools, toolTokens } from '../database/tables.ts'
import { decrypt, encrypt, type SecretContext } from '../secrets.ts'

export async function findTool(tables: Tables, id: string) {
  if (stringProblem(id)) return undefined
  const [row] = await selectTool(tables, id)
  return row
}

const selectTool = (tables: Tables, id: string) =>
  tables.select().from(tools).where(eq(tools.itemId, id))

/** Locks a tool until the transaction ends. @returns undefined if it was removed. */
export async function lockTool(tables: Tables, id: string) {
  const [row] = await selectTool(tables, id).for('update')
  return row
}

/** Returns the authentication of a tool, with its client secret decrypted. */
export async function findAuth(
  tables: Tables,
  projectId: number,
  toolId: string,
  secret: string | undefined,
): Promise<contract.ToolAuth | undefined> {
  const tool = await findTool(tables, toolId)
  const context = clientSecretContext(projectId, toolId)
  return tool && mapClientSecret(tool.auth, (text) => decrypt(text, secret, context))
}

/**
 * Lists the tools of the scope's project by name, without client secrets. `connection` is the
 * consent of a user; null if there is none.
 */
export async function listTools(tables: Tables) {
  const { itemId, name, description, auth, tutorial } = tools
  const rows = await tables
    .select({
      itemId,
      name,
      description,
      auth,
      tutorial,
      agentCount: sql<number>`(select count(*)::int from servicekit.agents a
        where tools.item_id = any(a.tool_ids))`,
      connection: sql<{ scope: string | null; expiresAt: string | null } | null>`(
        select json_build_object('scope', k.scope, 'expiresAt', k.expires_at)
        from servicekit.tool_tokens k where k.tool_id = tools.item_id)`,
    })
    .from(tools)
    .orderBy(sql`name collate "C", item_id collate "C"`)
  return rows.map((row) => ({ ...row, auth: mapClientSecret(row.auth, () => hidden) }))
}

/** Replaces a client secret that is not shown. */
const hidden = '***'

/** Maps the client secret of a tool; it is omitted if the result is undefined. */
export function mapClientSecret(
  auth: contract.ToolAuth,
  change: (clientSecret: string) => string | undefined,
): contract.ToolAuth {
  if (auth.type !== 'oauth2' || auth.clientSecret === undefined) return auth
  const { clientSecret, ...rest } = auth
  const changed = change(clientSecret)
  return changed === undefined ? rest : { ...rest, clientSecret: changed }
}

export const clientSecretContext = (projectId: number, toolId: string): SecretContext => [
  projectId,
  toolId,
  'client',
]

/**
 * Creates a tool, or changes the one with that id. Its tutorial is kept, and so is its
 * client secret if the `***` of the listing is sent back. A token URL of another origin must not
 * learn the secret or the tokens: it requires the secret again, and ends the connection.
 *
 * @throws Invalid for a `***` without a secret that may be kept
 */
export async function saveTool(
  services: Pick<Services, 'options' | 'secret'>,
  tables: Tables,
  projectId: number,
  itemId: string,
  { name, description = '', auth = { type: 'none' } }: contract.Tool,
): Promise<void> {
  const secret = await services.secret()
  const context = clientSecretContext(projectId, itemId)
  const before = await lockTool(tables, itemId)
  const isSameTarget = before !== undefined && targetOf(before.auth) === targetOf(auth)
  const keep = (): string => {
    if (isSameTarget && before.auth.type === 'oauth2' && before.auth.clientSecret !== undefined) {
      return before.auth.clientSecret
    }
    const reason = isSameTarget
      ? `the tool has no client secret that "${hidden}" could stand for`
      : 'the token URL leads to another origin than before'
    throw new Invalid(`Enter the client secret again: ${reason}.`)
  }
  const stored = mapClientSecret(auth, (text) =>
    text === hidden ? keep() : encrypt(text, secret, context),
  )
  if (!isSameTarget) await disconnect(tables, itemId)
  const now = services.options.now()
  const values = { name, description, auth: stored, updatedAt: now }
  await tables
    .insert(tools)
    .values({ projectId, itemId, createdAt: now, ...values })
    .onConflictDoUpdate({ target: [tools.projectId, tools.itemId], set: values })
}

/** Returns the origin that receives the client secret and the tokens of a tool. */
export const targetOf = (auth: contract.ToolAuth): string | undefined =>
  auth.type === 'oauth2' && auth.tokenUrl !== undefined ? new URL(auth.tokenUrl).origin : undefined

/** Removes the tokens and pending authorizations of a tool. */
async function disconnect(tables: Tables, toolId: string): Promise<void> {
  for (const table of [toolFlows, toolTokens]) {
    await tables.delete(table).where(eq(table.toolId, toolId))
  }
}

export async function removeTool(tables: Tables, id: string) {
  const removed = await tables.delete(tools).where(eq(tools.itemId, id))
  await tables
    .update(agents)
    .set({ toolIds: sql`array_remove(${agents.toolIds}, ${id})` })
    .where(arrayContains(agents.toolIds, [id]))
  return removed
}

/** Replaces the tutorial of a tool. @returns true if the tool exists. */
export async function saveTutorial(
  tables: Tables,
  id: string,
  tutorial: Readonly<Record<string, unknown>> | null,
  updatedAt: Date,
): Promise<boolean> {
  if (!(await findTool(tables, id))) return false
  await tables.update(tools).set({ tutorial, updatedAt }).where(eq(tools.itemId, id))
  return true
}

export const countAgents = (tables: Tables, toolId: string, onlyActive: boolean): Promise<number> =>
  tables.$count(
    agents,
    and(
      arrayContains(agents.toolIds, [toolId]),
      onlyActive ? eq(agents.status, 'active') : undefined,
    ),
  )

export async function listAgents(tables: Tables) {
  const rows = await tables.select().from(agents).orderBy(asc(agents.name), asc(agents.itemId))
  return rows.map(({ projectId: _, ...agent }) => agent)
}

export async function saveAgent(
  tables: Tables,
  projectId: number,
  itemId: string,
  { name, status = 'active', toolIds = [] }: contract.Agent,
): Promise<void> {
  const values = { name, status, toolIds }
  await tables
    .insert(agents)
    .values({ projectId, itemId, ...values })
    .onConflictDoUpdate({ target: [agents.projectId, agents.itemId], set: values })
}

export const removeAgent = (tables: Tables, id: string) =>
  tables.delete(agents).where(eq(agents.itemId, id))
