import { tools as wire, type ValidationDetail } from '@servicekit/contract'
import { type Answer, json } from '../http/answer.ts'
import { serve, type ServeOptions } from '../http/mount.ts'
import { jsonFault } from '../projects/text.ts'

/** `project_key` may replace the header. */
const keyed: Pick<ServeOptions, 'keyOf'> = { keyOf: (query) => query['project_key'] }

/** The tool operations of section 4.8. */
export const toolOperations = [
  serve(
    wire.initiateOauth,
    async ({ services, project, path: { tool_id: id } }) => {
      const [{ findTool }, { codeFlowOf }, { beginFlow }] = await Promise.all([
        import('./store.ts'),
        import('./tool.ts'),
        import('./oauth.ts'),
      ])
      if (jsonFault(id)) return noTool(id)
      return services.database.scoped(project.id, async (tables) => {
        const tool = await findTool(tables, id)
        if (!tool) return noTool(id)
        const auth = codeFlowOf(tool.auth)
        if ('fault' in auth) return detail(400, ['path', 'tool_id'], auth.fault, 'value_error')
        return json({
          authorization_url: await beginFlow(tables, services, project, id, auth),
          tool_id: id,
          message: 'Open the authorization URL within ten minutes.',
        } satisfies wire.ToolOauth)
      })
    },
    keyed,
  ),
  serve(wire.saveTutorial, async ({ services, project, path: { tool_id: id }, body }) => {
    const { saveTutorial } = await import('./store.ts')
    const url = body.documentation_url
    if (url && !URL.canParse(url)) {
      return detail(400, ['body', 'documentation_url'], 'It is no address.', 'value_error')
    }
    const fault = jsonFault(body)
    if (fault) return detail(400, ['body'], fault, 'value_error')
    if (jsonFault(id)) return noTool(id)
    const isSaved = await services.database.scoped(project.id, (tables) =>
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
  serve(
    wire.countAgents,
    async ({ services, project, path: { tool_id: id } }) => {
      const { countAgents, findTool } = await import('./store.ts')
      if (jsonFault(id)) return noTool(id)
      const onlyActive = services.options.agentCount === 'active'
      const count = await services.database.scoped(
        project.id,
        async (tables) =>
          (await findTool(tables, id)) ? countAgents(tables, id, onlyActive) : undefined,
        { isReadOnly: true },
      )
      if (count === undefined) return noTool(id)
      return json({
        success: true,
        message: messageOf(count),
        data: count,
        status_code: 200,
      } satisfies wire.AgentCount)
    },
    keyed,
  ),
]

function messageOf(count: number): string {
  if (count === 0) return 'No agents use this tool.'
  return count === 1 ? '1 agent uses this tool.' : `${count} agents use this tool.`
}

const noTool = (id: string): Answer =>
  detail(404, ['path', 'tool_id'], `There is no tool ${id}.`, 'not_found')

/** Creates an error in the shape of these routes (section 7). */
export const detail = (
  status: number,
  loc: readonly (string | number)[],
  msg: string,
  type: string,
): Answer => json({ detail: [{ loc: [...loc], msg, type }] } satisfies ValidationDetail, status)
