import { tools as operations } from '@servicekit/contract/control'
import { sql } from 'drizzle-orm'
import { requireFound, requireUnchanged } from '../domain-errors.ts'
import type { Tables } from '../database/database.ts'
import { findQuestions, removeQuestion } from '../knowledge/store.ts'
import { currentToken } from '../tools/oauth.ts'
import * as tools from '../tools/store.ts'
import { implementControl } from './control-operation.ts'

/**
 * Rejects a change if a listed value differs from what the client knows.
 *
 * @param known values that the client knows, null if there was none; undefined, anything.
 * @throws Conflict
 */
async function requireKnown(
  tables: Tables,
  noun: 'tool' | 'agent',
  id: string,
  known: Readonly<Record<string, unknown>> | null | undefined,
): Promise<void> {
  if (known === undefined) return
  const table = sql.identifier(`${noun}s`)
  await tables.execute(sql`select from servicekit.${table} where item_id = ${id} for update`)
  const list = await (noun === 'tool' ? tools.listTools(tables) : tools.listAgents(tables))
  const found: Readonly<Record<string, unknown>> | undefined = list.find((one) => one.itemId === id)
  const names = Object.keys(known ?? {})
  const current = found && Object.fromEntries(names.map((name) => [name, found[name]]))
  requireUnchanged(current ?? null, known, `The ${noun} has changed.`)
}

/** Operations on tools, agents and the knowledge base of a project. */
export const toolOperations = [
  implementControl(operations.listTools, ({ snapshot }) => snapshot(tools.listTools)),
  implementControl(operations.saveTool, async ({ services, project, path, body, transaction }) => {
    const { expected: known, ...tool } = body
    const itemId = path.id
    await transaction(async (tables) => {
      await requireKnown(tables, 'tool', itemId, known)
      await tools.saveTool(services, tables, project.id, itemId, tool)
    })
    return { itemId }
  }),
  implementControl(operations.removeTool, async ({ path, transaction }) => {
    const { rowCount } = await transaction((tables) => tools.removeTool(tables, path.id))
    requireFound(rowCount === 1, 'tool')
  }),
  implementControl(operations.saveTutorial, async ({ services, path, body, transaction }) => {
    const { tutorial, expected: known } = body
    const now = services.options.now()
    await transaction(async (tables) => {
      await requireKnown(tables, 'tool', path.id, known)
      requireFound(await tools.saveTutorial(tables, path.id, tutorial, now), 'tool')
    })
  }),
  implementControl(operations.readToken, ({ services, project, path }) =>
    currentToken(services, project, path.id),
  ),
  implementControl(operations.listAgents, ({ snapshot }) => snapshot(tools.listAgents)),
  implementControl(operations.saveAgent, async ({ project, path, body, transaction }) => {
    const { expected: known, ...agent } = body
    const itemId = path.id
    await transaction(async (tables) => {
      await requireKnown(tables, 'agent', itemId, known)
      await tools.saveAgent(tables, project.id, itemId, agent)
    })
    return { itemId }
  }),
  implementControl(operations.removeAgent, async ({ path, transaction }) => {
    const { rowCount } = await transaction(async (tables) => tools.removeAgent(tables, path.id))
    requireFound(rowCount === 1, 'agent')
  }),
  implementControl(operations.findQuestions, ({ project, query, snapshot }) => {
    const { search, agent: agentId, limit } = query
    return snapshot((tables) => findQuestions(tables, project.id, { search, agentId }, limit))
  }),
  implementControl(operations.removeQuestion, async ({ project, path, transaction }) => {
    const { rowCount } = await transaction((tables) => removeQuestion(tables, project.id, path.id))
    requireFound(rowCount === 1, 'question')
  }),
]
