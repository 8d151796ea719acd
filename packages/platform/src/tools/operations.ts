import { tools as wire, type ValidationDetail } from '@servicekit/contract'
import { json } from '../http/responses.ts'
import { implement, type HandlerOptions } from '../http/mount.ts'
import { beginFlow } from './oauth.ts'
import { countAgents, findTool, saveTutorial } from './store.ts'
import { codeFlowOf } from './tool.ts'
import { jsonProblem } from '../http/json-problem.ts'

/** `project_key` may replace the header. */
const keyed: Pick<HandlerOptions, 'keyOf'> = { keyOf: (query) => query['project_key'] }

/** The tool operations of section 4.8. */
export const toolOperations = [
  implement(
    wire.initiateOauth,
    async ({ services, project, path: { tool_id: id }, transaction }) => {
      return transaction(async (tables) => {
        const tool = await findTool(tables, id)
        if (!tool) return noTool(id)
        const auth = codeFlowOf(tool.auth)
        if ('error' in auth) return detail(400, ['path', 'tool_id'], auth.error, 'value_error')
        return json({
          authorization_url: await beginFlow(tables, services, project, id, auth),
          tool_id: id,
          message: 'Open the authorization URL within ten minutes.',
        } satisfies wire.ToolOauth)
      })
    },
    keyed,
  ),
  implement(wire.saveTutorial, async ({ services, path: { tool_id: id }, body, transaction }) => {
    const url = body.documentation_url
    if (url && !URL.canParse(url)) {
      return detail(400, ['body', 'documentation_url'], 'It is not a URL.', 'value_error')
    }
    const problem = jsonProblem(body)
    if (problem) return detail(400, ['body'], problem, 'value_error')
    const isSaved = await transaction((tables) =>
      saveTutorial(tables, id, body, services.options.now()),
    )
    if (!isSaved) return noTool(id)
    return json({
      is_success: true,
      item_id: id,
      detail: 'The tutorial is saved.',
      error: {},
    } satisfies wire.TutorialSaved)
  }),
  implement(
    wire.countAgents,
    async ({ services, path: { tool_id: id }, snapshot }) => {
      const onlyActive = services.options.agentCount === 'active'
      const count = await snapshot(async (tables) =>
        (await findTool(tables, id)) ? countAgents(tables, id, onlyActive) : undefined,
      )
      if (count === undefined) return noTool(id)
      const agents = count === 1 ? '1 agent uses' : `${count || 'No'} agents use`
      return json({
        success: true,
        message: `${agents} this tool.`,
        data: count,
        status_code: 200,
      } satisfies wire.AgentCount)
    },
    keyed,
  ),
]

const noTool = (id: string): Response =>
  detail(404, ['path', 'tool_id'], `There is no tool ${id}.`, 'not_found')

/** Creates an error in the shape of these routes (section 7). */
export const detail = (
  status: number,
  loc: readonly (string | number)[],
  msg: string,
  type: string,
): Response => json({ detail: [{ loc: [...loc], msg, type }] } satisfies ValidationDetail, status)
