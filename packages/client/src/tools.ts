import type { tools as contract } from '@servicekit/contract'
import { limits } from '@servicekit/contract/limits'
import * as routes from '@servicekit/contract/routes'
import { isHttpUrl } from './is-http-url.ts'
import type { CallOptions, Core } from './core.ts'
import { operate, pick, nonEmptyString, wrongShape } from './operate.ts'

/** Documentation of a tool: an open object (section 2.7). */
export type Tutorial = Readonly<contract.Tutorial>

/** Started OAuth flow of a tool. */
export interface ToolOauth {
  /** URL where the user grants access. */
  readonly url: string
  /** Id of the tool. */
  readonly toolId: string
  /** Human-readable message. */
  readonly message: string | undefined
  /** OAuth client id, from the URL. */
  readonly clientId: string | undefined
  /** Redirect URI of the authorization server: the service. */
  readonly redirectUri: string | undefined
  /** OAuth state, verified by the service. */
  readonly state: string | undefined
  /** Scopes that the tool requests. */
  readonly scopes: readonly string[]
  /** Undefined if PKCE is off. */
  readonly codeChallenge: string | undefined
  /** Usually `S256`. */
  readonly codeChallengeMethod: string | undefined
  /** Time until which the URL is valid at least, in milliseconds since 1970. */
  readonly expiresMs: number
  /** Response as received. */
  readonly raw: unknown
}

/**
 * Starts the OAuth flow of an MCP tool.
 *
 * @param now Clock for the expiry.
 * @throws RequestError 404 (or 422) for an unknown tool, 400 (or 422) for a tool without
 *   OAuth.
 * @see section 4.8
 */
export async function initiateOauth(
  core: Core,
  toolId: string,
  { now = Date.now, ...call }: CallOptions & { readonly now?: () => number } = {},
): Promise<ToolOauth> {
  const intent = `start the OAuth flow of tool ${toolId}`
  const startMs = now()
  const raw = await operate(core, routes.toolsInitiateOauth, {
    ...call,
    ...inputOf(core, toolId),
    intent,
  })
  const url = pick(raw, 'authorization_url')
  if (!isHttpUrl(url))
    throw wrongShape(core, routes.toolsInitiateOauth, intent, 'an authorization_url')
  const { searchParams } = new URL(url)
  const part = (name: string): string | undefined => searchParams.get(name) ?? undefined
  return {
    url,
    toolId: nonEmptyString(pick(raw, 'tool_id')) ?? toolId,
    message: nonEmptyString(pick(raw, 'message')),
    clientId: part('client_id'),
    redirectUri: part('redirect_uri'),
    state: part('state'),
    scopes: part('scope')?.split(' ') ?? [],
    codeChallenge: part('code_challenge'),
    codeChallengeMethod: part('code_challenge_method'),
    expiresMs: startMs + limits.toolAuthorizationMs.min,
    raw,
  }
}

/**
 * Replaces the tutorial of a tool.
 *
 * @throws RequestError 404 (or 422) for an unknown tool, 400 for an invalid tutorial.
 * @see section 4.8
 */
export async function saveTutorial(
  core: Core,
  toolId: string,
  tutorial: Tutorial,
  call: CallOptions = {},
): Promise<{
  readonly itemId: string
  readonly detail: string | undefined
  readonly raw: unknown
}> {
  const raw = await operate(core, routes.toolsSaveTutorial, {
    ...call,
    path: { tool_id: toolId },
    json: tutorial,
    intent: `save the tutorial of tool ${toolId}`,
  })
  return {
    itemId: nonEmptyString(pick(raw, 'item_id')) ?? toolId,
    detail: nonEmptyString(pick(raw, 'detail')),
    raw,
  }
}

/**
 * Returns the number of agents that use a tool: of any status, or only active ones; the
 * interface says both.
 *
 * @throws RequestError 404 (or 422) for an unknown tool.
 * @see section 4.8
 */
export async function countAgents(
  core: Core,
  toolId: string,
  call: CallOptions = {},
): Promise<number> {
  const intent = `count the agents that use tool ${toolId}`
  const raw = await operate(core, routes.toolsCountAgents, {
    ...call,
    ...inputOf(core, toolId),
    intent,
  })
  const count = pick(raw, 'data')
  if (typeof count !== 'number')
    throw wrongShape(core, routes.toolsCountAgents, intent, 'a number in data')
  return count
}

const inputOf = (core: Core, toolId: string) => ({
  path: { tool_id: toolId },
  query: { project_key: core.projectKey },
})
