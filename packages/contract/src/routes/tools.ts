import type { Route } from '../route.ts'

/** Starts the OAuth flow of an MCP tool. @see section 4.8 */
export const toolsInitiateOauth = {
  id: 'tools.initiateOauth',
  method: 'POST',
  path: '/tools/{tool_id}/initiate-oauth',
  query: ['project_key'],
  effect: 'create',
} as const satisfies Route

/** Replaces the tutorial of a tool. @see section 4.8 */
export const toolsSaveTutorial = {
  id: 'tools.saveTutorial',
  method: 'POST',
  path: '/tools/tutorial/{tool_id}',
  body: 'json',
  effect: 'replace',
} as const satisfies Route

/** Counts the agents that use a tool. @see section 4.8 */
export const toolsCountAgents = {
  id: 'tools.countAgents',
  method: 'GET',
  path: '/tools/{tool_id}/agent-count',
  query: ['project_key'],
  effect: 'read',
} as const satisfies Route
