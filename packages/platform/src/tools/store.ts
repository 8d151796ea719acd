import { asc, eq, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { decrypt, encrypt, type SecretContext } from '../identity/secrets.ts'
import { instant } from '../queue/jobs.ts'
import type { Services } from '../services.ts'
import { agents, tools } from './tables.ts'
import type { Agent, Tool, ToolAuth } from './tool.ts'

/** Finds a tool of the scope's project. */
export async function findTool(tables: Tables, id: string) {
  const [row] = await tables.select().from(tools).where(eq(tools.itemId, id))
  return row
}

/** Returns the authentication of a tool, with its client secret decrypted. */
export async function findAuth(
  tables: Tables,
  projectId: number,
  toolId: string,
  secret: string | undefined,
): Promise<ToolAuth | undefined> {
  const tool = await findTool(tables, toolId)
  return (
    tool &&
    mapClientSecret(tool.auth, (one) =>
      decrypt(one, secret, clientSecretContext(projectId, toolId)),
    )
  )
}

/** Tool as the console shows it, without its client secret. */
export interface ShownTool {
  readonly itemId: string
  readonly name: string
  readonly description: string
  readonly auth: ToolAuth
  readonly tutorial: Readonly<Record<string, unknown>> | null
  readonly agentCount: number
  /** Consent of a user and its expiry; null if there is none. */
  readonly connection: { readonly scope: string | null; readonly expiresAt: string | null } | null
}

/** Lists the tools of the scope's project, by name. */
export async function listTools(tables: Tables): Promise<readonly ShownTool[]> {
  const { rows } = await tables.execute<ShownTool & Record<string, unknown>>(sql`
    select t.item_id as "itemId", t.name, t.description, t.auth, t.tutorial,
      (select count(*)::int from servicekit.agents a where t.item_id = any(a.tool_ids))
        as "agentCount",
      (select json_build_object('scope', k.scope, 'expiresAt', k.expires_at)
        from servicekit.tool_tokens k where k.tool_id = t.item_id) as connection
    from servicekit.tools t order by t.name collate "C", t.item_id collate "C"`)
  return rows.map((row) => ({ ...row, auth: mapClientSecret(row.auth, () => hidden) }))
}

/** Replaces a client secret that is not shown. */
const hidden = '***'

/** Maps the client secret of a tool; it is omitted if the result is undefined. */
export function mapClientSecret(
  auth: ToolAuth,
  change: (clientSecret: string) => string | undefined,
): ToolAuth {
  if (auth.type !== 'oauth2' || auth.clientSecret === undefined) return auth
  const { clientSecret, ...rest } = auth
  const changed = change(clientSecret)
  return changed === undefined ? rest : { ...rest, clientSecret: changed }
}

/** Context in which the client secret of a tool is encrypted. */
export const clientSecretContext = (projectId: number, toolId: string): SecretContext => [
  projectId,
  toolId,
  'client',
]

/**
 * Creates a tool, or changes the one with that id. Its tutorial is kept, and so is its
 * client secret if the `***` of the listing is sent back.
 */
export async function saveTool(
  { options, secret: secretOf }: Pick<Services, 'options' | 'secret'>,
  tables: Tables,
  projectId: number,
  id: string,
  { name, description = '', auth = { type: 'none' } }: Tool,
): Promise<void> {
  const secret = await secretOf()
  const isHidden = auth.type === 'oauth2' && auth.clientSecret === hidden
  const before = isHidden ? await findAuth(tables, projectId, id, secret) : undefined
  const kept = before?.type === 'oauth2' && before.clientSecret !== undefined
  const whole = isHidden && kept ? { ...auth, clientSecret: before.clientSecret } : auth
  const stored = mapClientSecret(whole, (one) =>
    encrypt(one, secret, clientSecretContext(projectId, id)),
  )
  const now = instant(options.now())
  await tables.execute(sql`
    insert into servicekit.tools
      (project_id, item_id, name, description, auth, created_at, updated_at)
    values (${projectId}::int, ${id}, ${name}, ${description}, ${JSON.stringify(stored)}::json,
      ${now}, ${now})
    on conflict (project_id, item_id) do update set name = excluded.name,
      description = excluded.description, auth = excluded.auth, updated_at = excluded.updated_at`)
}

/** Removes a tool with its flows and tokens, also from agents. */
export async function removeTool(tables: Tables, id: string): Promise<boolean> {
  const gone = await tables.delete(tools).where(eq(tools.itemId, id))
  for (const table of [sql`tool_flows`, sql`tool_tokens`]) {
    await tables.execute(sql`delete from servicekit.${table} where tool_id = ${id}`)
  }
  await tables.execute(sql`
    update servicekit.agents set tool_ids = array_remove(tool_ids, ${id})
    where ${id} = any(tool_ids)`)
  return (gone.rowCount ?? 0) > 0
}

/** Replaces the tutorial of a tool. @returns whether the tool exists. */
export async function saveTutorial(
  tables: Tables,
  id: string,
  tutorial: object,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tables.execute(sql`
    update servicekit.tools set tutorial = ${JSON.stringify(tutorial)}::json,
      updated_at = ${instant(now)}
    where item_id = ${id}`)
  return rowCount === 1
}

/** Counts the agents that have a tool: all of them, or active ones only. */
export async function countAgents(
  tables: Tables,
  toolId: string,
  onlyActive: boolean,
): Promise<number> {
  const { rows } = await tables.execute<{ n: number }>(sql`
    select count(*)::int as n from servicekit.agents
    where ${toolId} = any(tool_ids) ${onlyActive ? sql`and status = 'active'` : sql``}`)
  return rows[0]!.n
}

/** Lists the agents of the scope's project, by name. */
export async function listAgents(tables: Tables) {
  const rows = await tables.select().from(agents).orderBy(asc(agents.name), asc(agents.itemId))
  return rows.map(({ projectId: _, ...agent }) => agent)
}

/** Creates an agent, or changes the one with that id. */
export async function saveAgent(
  tables: Tables,
  projectId: number,
  id: string,
  { name, status = 'active', toolIds = [] }: Agent,
): Promise<void> {
  await tables.execute(sql`
    insert into servicekit.agents (project_id, item_id, name, status, tool_ids)
    values (${projectId}::int, ${id}, ${name}, ${status}, ${sql.param(toolIds)}::text[])
    on conflict (project_id, item_id) do update set name = excluded.name,
      status = excluded.status, tool_ids = excluded.tool_ids`)
}

/** Removes an agent. @returns whether it existed. */
export async function removeAgent(tables: Tables, id: string): Promise<boolean> {
  const { rowCount } = await tables.delete(agents).where(eq(agents.itemId, id))
  return (rowCount ?? 0) > 0
}
