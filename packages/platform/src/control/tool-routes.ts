import type { Hono } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import type { Services } from '../services.ts'
import { type Control, numberOf, onProject, Refused } from './control.ts'

/** Maximum number of questions in one response. */
const maxQuestions = 200

/** Routes that manage tools, agents and their knowledge. */
export function toolRoutes(control: Control): void {
  onProject(control, 'GET', '/tools', async ({ services, project }) => {
    const { listTools } = await import('../tools/store.ts')
    return services.database.scoped(project.id, listTools, { isReadOnly: true })
  })
  onProject(control, 'PUT', '/tools/:id', async ({ services, project, param, read }) => {
    const { Tool } = await import('../tools/tool.ts')
    const { saveTool } = await import('../tools/store.ts')
    const tool = await read(Tool)
    await services.database.scoped(project.id, (tables) =>
      saveTool(services, tables, project.id, param('id'), tool),
    )
    return { itemId: param('id') }
  })
  onProject(control, 'DELETE', '/tools/:id', async ({ services, project, param }) => {
    const { removeTool } = await import('../tools/store.ts')
    const id = param('id')
    const isGone = await services.database.scoped(project.id, (tables) => removeTool(tables, id))
    if (!isGone) throw new Refused(404, `There is no tool ${id}.`)
  })
  onProject(control, 'GET', '/tools/:id/token', async ({ services, project, param }) => {
    const { currentToken } = await import('../tools/tokens.ts')
    const token = await currentToken(services, project, param('id'))
    if ('fault' in token) throw new Refused(token.isPassing ? 502 : 404, token.fault)
    return token
  })
  onProject(control, 'GET', '/agents', async ({ services, project }) => {
    const { listAgents } = await import('../tools/store.ts')
    return services.database.scoped(project.id, listAgents, { isReadOnly: true })
  })
  onProject(control, 'PUT', '/agents/:id', async ({ services, project, param, read }) => {
    const { Agent } = await import('../tools/tool.ts')
    const { saveAgent } = await import('../tools/store.ts')
    const agent = await read(Agent)
    await services.database.scoped(project.id, (tables) =>
      saveAgent(tables, project.id, param('id'), agent),
    )
    return { itemId: param('id') }
  })
  onProject(control, 'DELETE', '/agents/:id', async ({ services, project, param }) => {
    const { removeAgent } = await import('../tools/store.ts')
    const id = param('id')
    const isGone = await services.database.scoped(project.id, (tables) => removeAgent(tables, id))
    if (!isGone) throw new Refused(404, `There is no agent ${id}.`)
  })
  onProject(control, 'GET', '/knowledge', async ({ services, project, query }) => {
    const { findQuestions } = await import('../knowledge/store.ts')
    const limit = numberOf(query['limit'], 20, maxQuestions)
    const { search, agent: agentId } = query
    return services.database.scoped(
      project.id,
      (tables) => findQuestions(tables, { search, agentId, limit }),
      { isReadOnly: true },
    )
  })
  onProject(control, 'DELETE', '/knowledge/:id', async ({ services, project, param }) => {
    const { removeQuestion } = await import('../knowledge/store.ts')
    const id = numberOf(param('id'), 0, Number.MAX_SAFE_INTEGER)
    const isGone = await services.database.scoped(project.id, (tables) =>
      removeQuestion(tables, id),
    )
    if (!isGone) throw new Refused(404, 'There is no such question.')
  })
}

/**
 * Path to which an authorization server redirects the browser after a user authorized a
 * tool.
 */
const toolCallbackPath = '/_platform/tools/callback'

/**
 * OAuth callback of tools. It needs no authentication, because the state parameter is
 * secret and valid only once.
 */
export function toolCallback(app: Hono<AppEnv>, services: () => Promise<Services>): void {
  app.get(toolCallbackPath, async (c) => {
    const { endFlow } = await import('../tools/oauth.ts')
    const result = await endFlow(await services(), c.req.query())
    const isDone = 'toolId' in result
    c.header('cache-control', 'no-store')
    c.header('referrer-policy', 'no-referrer')
    if (c.req.header('accept')?.includes('application/json')) {
      return c.json(result, isDone ? 200 : 400)
    }
    const text = isDone ? 'The tool is connected. You can close this page.' : result.fault
    return c.text(text, isDone ? 200 : 400)
  })
}
