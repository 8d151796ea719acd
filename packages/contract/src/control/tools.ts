import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import { type DeepReadonly, integer, rowId, time } from './values.ts'

const address = z.url({ protocol: /^https?$/ })

export const ToolAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('apiKey'), headerKey: z.string().min(1) }),
  z.strictObject({
    type: z.literal('oauth2'),
    grantType: z.enum(['AUTHORIZATION_CODE', 'CLIENT_CREDENTIALS']),
    authorizationUrl: address.optional(),
    tokenUrl: address.optional(),
    clientId: z.string().min(1).optional(),
    clientSecret: z
      .string()
      .min(1)
      .describe('`***` in a listing; sent back, it keeps the secret')
      .optional(),
    redirectUri: address.optional(),
    scopes: z.array(z.string().min(1)).optional(),
    usePkce: z.boolean().describe('True by default').optional(),
    issuer: z
      .string()
      .describe('Compared with the issuer of the response, if it has one')
      .optional(),
    tokenAuthMethod: z.enum(['client_secret_basic', 'client_secret_post', 'none']).optional(),
  }),
])
export type ToolAuth = z.infer<typeof ToolAuth>

/** Tool to save. */
export const Tool = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  auth: ToolAuth.optional(),
})
export type Tool = z.infer<typeof Tool>

/** Agent to save. */
export const Agent = z.strictObject({
  name: z.string().min(1),
  status: z.enum(['active', 'inactive', 'testing']).optional(),
  toolIds: z.array(z.string()).optional(),
})
export type Agent = z.infer<typeof Agent>

const Values = z.record(z.string(), z.unknown())

/** Values that the client knows of what it changes, null if there was none; omitted, anything. */
const expected = Values.nullable().optional()

export const ToolRecord = z.object({
  itemId: z.string(),
  name: z.string(),
  description: z.string(),
  auth: ToolAuth,
  tutorial: Values.nullable(),
  agentCount: z.int(),
  connection: z
    .object({ scope: z.string().nullable(), expiresAt: z.string().nullable() })
    .nullable()
    .describe('Consent of a user; null if there is none'),
})
export type ToolRecord = DeepReadonly<z.infer<typeof ToolRecord>>

const Saved = z.object({ itemId: z.string() })

export const listTools = defineControl('agents.listTools', 'GET /projects/{project}/tools', {
  summary: 'List the tools, without client secrets',
  access: access.administration,
  result: z.array(ToolRecord),
})

export const saveTool = defineControl('agents.saveTool', 'PUT /projects/{project}/tools/{id}', {
  summary: 'Create a tool, or change the one with this id',
  access: access.administration,
  body: Tool.extend({ expected }),
  result: Saved,
  errors: { 409: 'The tool has changed' },
})

export const removeTool = defineControl(
  'agents.removeTool',
  'DELETE /projects/{project}/tools/{id}',
  {
    summary: 'Remove a tool, also from its agents',
    access: access.administration,
    errors: { 404: 'there is no such tool' },
  },
)

export const saveTutorial = defineControl(
  'agents.saveTutorial',
  'PUT /projects/{project}/tools/{id}/tutorial',
  {
    summary: 'Replace the tutorial of a tool, or remove it',
    access: access.administration,
    body: z.strictObject({ tutorial: Values.nullable(), expected }),
    errors: { 404: 'there is no such tool', 409: 'The tool has changed' },
  },
)

export const readToken = defineControl(
  'agents.readToken',
  'GET /projects/{project}/tools/{id}/token',
  {
    summary: 'Read the access token of a connected tool, renewed if necessary',
    access: access.operator,
    result: z.object({
      accessToken: z.string(),
      tokenType: z.string(),
      scope: z.string().nullable(),
      expiresAt: time.nullable(),
    }),
    errors: {
      404: 'the tool is not connected, or its token has expired',
      502: 'The token could not be renewed',
    },
  },
)

export const AgentRecord = z.object({
  itemId: z.string(),
  name: z.string(),
  status: z.enum(['active', 'inactive', 'testing']),
  toolIds: z.array(z.string()),
})
export type AgentRecord = DeepReadonly<z.infer<typeof AgentRecord>>

export const listAgents = defineControl('agents.list', 'GET /projects/{project}/agents', {
  summary: 'List the agents',
  access: access.administration,
  result: z.array(AgentRecord),
})

export const saveAgent = defineControl('agents.save', 'PUT /projects/{project}/agents/{id}', {
  summary: 'Create an agent, or change the one with this id',
  access: access.administration,
  body: Agent.extend({ expected }),
  result: Saved,
  errors: { 409: 'The agent has changed' },
})

export const removeAgent = defineControl(
  'agents.remove',
  'DELETE /projects/{project}/agents/{id}',
  {
    summary: 'Remove an agent',
    access: access.administration,
    errors: { 404: 'there is no such agent' },
  },
)

export const QuestionRecord = z.object({
  id: z.int(),
  agentId: z.string(),
  question: z.string(),
  answer: z.string(),
  createdAt: time,
  score: z.number(),
})
export type QuestionRecord = DeepReadonly<z.infer<typeof QuestionRecord>>

export const findQuestions = defineControl(
  'agents.findQuestions',
  'GET /projects/{project}/knowledge',
  {
    summary: 'Find questions with their answers, the best matches first',
    access: access.administration,
    query: z.object({
      search: z
        .string()
        .optional()
        .describe('Words; quotes group a phrase, a minus excludes a word'),
      agent: z.string().optional(),
      limit: integer(0, 20, 200),
    }),
    result: z.array(QuestionRecord),
  },
)

export const removeQuestion = defineControl(
  'agents.removeQuestion',
  'DELETE /projects/{project}/knowledge/{id}',
  {
    summary: 'Remove a question with its answer',
    access: access.administration,
    params: { id: rowId },
    errors: { 404: 'there is no such question' },
  },
)
