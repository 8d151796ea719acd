import { z } from 'zod'
import { Rejection, ValidationDetail } from './errors.ts'
import { access, defineOperation } from './operation.ts'
import * as routes from './routes.ts'

const path = z.object({ tool_id: z.string().min(1) })
const query = z.object({ project_key: z.string().min(1).optional() })

/**
 * Rejections of tool and knowledge-base routes. Section 7 documents 400 and 404, and shows
 * 422 for the same cases; the body has `detail[]` in both.
 */
const rejections = {
  400: { description: 'The request is not valid here', schema: ValidationDetail },
  422: { description: 'A parameter or member is missing or invalid', schema: ValidationDetail },
} as const
const noTool = {
  404: { description: 'Tool unknown', schema: z.union([ValidationDetail, Rejection]) },
} as const

/** Bodies of rejected calls. */
const denied = { 401: ValidationDetail, 403: ValidationDetail } as const

/** `error` of a tools or knowledge-base response: empty on success. */
const errorObject = z.record(z.string(), z.unknown()).nullable()

/**
 * Started OAuth flow of a tool. The address contains client_id, redirect_uri,
 * response_type=code, state and scope, and with PKCE also code_challenge and
 * code_challenge_method. It is valid for 10 to 15 minutes.
 */
export const ToolOauth = z
  .looseObject({ authorization_url: z.string(), tool_id: z.string(), message: z.string() })
  .meta({ id: 'ToolOauth' })
export type ToolOauth = z.infer<typeof ToolOauth>

export const initiateOauth = defineOperation(routes.toolsInitiateOauth, {
  section: '4.8',
  summary: 'Start the OAuth flow of a tool',
  access: access.caller,
  denied,
  path,
  query,
  responses: {
    200: { description: 'URL at which the user grants access', schema: ToolOauth },
    ...rejections,
    400: { description: 'The tool is not set up for OAuth', schema: ValidationDetail },
    ...noTool,
  },
})

/** Tutorial of a tool: an open object of documentation fields (section 2.7). */
export const Tutorial = z
  .looseObject({
    tutorial: z.string().describe('Markdown').optional(),
    documentation_url: z.string().optional(),
    examples: z.record(z.string(), z.string()).describe('By name of an action').optional(),
    quick_start: z.string().optional(),
    best_practices: z.string().optional(),
    troubleshooting: z.string().optional(),
    faq: z.string().optional(),
  })
  .meta({ id: 'Tutorial' })
export type Tutorial = z.infer<typeof Tutorial>

export const TutorialSaved = z
  .looseObject({
    is_success: z.boolean(),
    item_id: z.string().describe('Id of the tool'),
    detail: z.string(),
    error: errorObject,
  })
  .meta({ id: 'TutorialSaved' })
export type TutorialSaved = z.infer<typeof TutorialSaved>

export const saveTutorial = defineOperation(routes.toolsSaveTutorial, {
  section: '4.8',
  summary: 'Replace the tutorial of a tool',
  access: access.projectAdministrator,
  denied,
  path,
  body: Tutorial,
  responses: { 200: { description: 'Saved', schema: TutorialSaved }, ...rejections, ...noTool },
})

export const AgentCount = z
  .looseObject({
    success: z.boolean(),
    message: z.string(),
    data: z.int().min(0).describe('Number of agents that have the tool configured'),
    status_code: z.int(),
  })
  .meta({ id: 'AgentCount' })
export type AgentCount = z.infer<typeof AgentCount>

export const countAgents = defineOperation(routes.toolsCountAgents, {
  section: '4.8',
  summary: 'Number of agents that use a tool',
  access: access.caller,
  denied,
  description: 'The interface contradicts itself: of every status, or of active ones only.',
  path,
  query,
  responses: { 200: { description: 'The number', schema: AgentCount }, ...rejections, ...noTool },
})
