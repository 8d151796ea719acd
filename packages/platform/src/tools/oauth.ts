import { limits } from '@servicekit/contract'
import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { createSecret, hashSecret } from '../identity/secrets.ts'
import type { Project } from '../projects/project-directory.ts'
import { instant } from '../queue/jobs.ts'
import type { Services } from '../services.ts'
import { requestToken } from './request-token.ts'
import { findAuth } from './store.ts'
import { saveTokens } from './tokens.ts'
import { type CodeFlowAuth, codeFlowOf } from './tool.ts'

/** Time that a user has to give consent, in ms. */
const flowMs = limits.toolAuthorizationMs.min

/**
 * Starts an authorization-code flow: stores the hash of the state and the PKCE verifier;
 * the address holds the rest (section 4.8).
 */
export async function beginFlow(
  tables: Tables,
  { options }: Services,
  project: Project,
  toolId: string,
  auth: CodeFlowAuth,
): Promise<string> {
  // The callback has no project header; its state identifies the project.
  const state = `${project.id}.${createSecret()}`
  const verifier = auth.usePkce === false ? null : createSecret()
  const now = options.now()
  await tables.execute(sql`
    delete from servicekit.tool_flows where expires_at <= ${instant(now)}`)
  await tables.execute(sql`
    insert into servicekit.tool_flows (project_id, state_hash, tool_id, verifier, expires_at)
    values (${project.id}::int, ${hashSecret(state)}, ${toolId}, ${verifier},
      ${instant(new Date(now.getTime() + flowMs))})`)
  const url = new URL(auth.authorizationUrl)
  const parameters = {
    client_id: auth.clientId,
    redirect_uri: auth.redirectUri,
    response_type: 'code',
    state,
    scope: (auth.scopes ?? []).join(' '),
    ...(verifier === null
      ? {}
      : { code_challenge: hashSecret(verifier), code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Result of a callback. */
export type FlowResult =
  | { readonly toolId: string; readonly scope: string | null }
  | { readonly fault: string }

/**
 * Completes a flow: exchanges the code of a callback for tokens. A state is valid for one
 * callback, whatever its result.
 */
export async function endFlow(
  services: Services,
  parameters: Readonly<Record<string, string>>,
): Promise<FlowResult> {
  const { database, options } = services
  const { state = '', code, error, error_description, iss } = parameters
  const projectId = Number(/^(\d{1,9})\./.exec(state)?.[1])
  if (!Number.isSafeInteger(projectId)) return { fault: 'The state is not known.' }
  const secret = await services.secret()
  const flow = await database.scoped(projectId, (tables) =>
    takeFlow(tables, { projectId, state, secret, now: options.now() }),
  )
  if (!flow) return { fault: 'The state is not known, was used already, or is too old.' }
  if (error !== undefined) {
    return { fault: `The authorization server says ${error}. ${error_description ?? ''}`.trim() }
  }
  if (code === undefined) return { fault: 'There is no code.' }
  const auth = codeFlowOf(flow.auth)
  if ('fault' in auth) return auth
  if (secret === undefined) {
    return { fault: 'This platform has no secret (SERVICEKIT_SECRET) to keep tokens with.' }
  }
  if (auth.issuer !== undefined && iss !== undefined && iss !== auth.issuer) {
    return { fault: 'The answer is from another authorization server.' }
  }
  const answer = await requestToken(services, auth, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: auth.redirectUri,
    ...(flow.verifier === null ? {} : { code_verifier: flow.verifier }),
  })
  if (answer.fault !== undefined) {
    return { fault: `The code was not exchanged: ${answer.fault}.` }
  }
  const { tokens } = answer
  const scope = tokens.scope ?? auth.scopes?.join(' ') ?? null
  const place = { projectId, toolId: flow.toolId }
  await database.scoped(projectId, async (tables) => {
    // Consent that another user gave before is dropped with its refresh token.
    await tables.execute(sql`delete from servicekit.tool_tokens where tool_id = ${flow.toolId}`)
    await saveTokens(services, tables, place, { tokens, scope, secret })
  })
  return { toolId: flow.toolId, scope }
}

interface Taking {
  readonly projectId: number
  readonly state: string
  readonly secret: string | undefined
  readonly now: Date
}

async function takeFlow(tables: Tables, { projectId, state, secret, now }: Taking) {
  const { rows } = await tables.execute<{
    tool_id: string
    verifier: string | null
    ok: boolean
  }>(sql`
    delete from servicekit.tool_flows where state_hash = ${hashSecret(state)}
    returning tool_id, verifier, expires_at > ${instant(now)} as ok`)
  const [row] = rows
  if (!row?.ok) return undefined
  const auth = await findAuth(tables, projectId, row.tool_id, secret)
  return auth && { toolId: row.tool_id, verifier: row.verifier, auth }
}
