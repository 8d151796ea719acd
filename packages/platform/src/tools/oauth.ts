import { limits } from '@servicekit/contract'
import { eq, lte } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { createSecret, hashSecret } from '../identity/secrets.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { requestToken } from './request-token.ts'
import { findAuth } from './store.ts'
import { toolFlows, toolTokens } from '../database/tables.ts'
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
  await tables.delete(toolFlows).where(lte(toolFlows.expiresAt, now))
  await tables.insert(toolFlows).values({
    projectId: project.id,
    stateHash: hashSecret(state),
    toolId,
    verifier,
    expiresAt: new Date(now.getTime() + flowMs),
  })
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

export type FlowResult =
  | { readonly toolId: string; readonly scope: string | null }
  | { readonly error: string }

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
  if (!Number.isSafeInteger(projectId)) return { error: 'The state is unknown.' }
  const secret = await services.secret()
  const flow = await database.scoped(projectId, async (tables) => {
    const isFlow = eq(toolFlows.stateHash, hashSecret(state))
    const [row] = await tables.delete(toolFlows).where(isFlow).returning()
    if (!row || row.expiresAt <= options.now()) return undefined
    const auth = await findAuth(tables, projectId, row.toolId, secret)
    return auth && { ...row, auth }
  })
  if (!flow) return { error: 'The state is unknown, was already used, or has expired.' }
  if (error !== undefined) {
    const reason = `The authorization server responded with ${error}.`
    return { error: `${reason} ${error_description ?? ''}`.trim() }
  }
  if (code === undefined) return { error: 'The code is missing.' }
  const auth = codeFlowOf(flow.auth)
  if ('error' in auth) return auth
  if (secret === undefined) {
    return { error: 'The platform has no secret to encrypt tokens with. Set SERVICEKIT_SECRET.' }
  }
  if (auth.issuer !== undefined && iss !== undefined && iss !== auth.issuer) {
    return { error: 'The response is from another authorization server.' }
  }
  const response = await requestToken(services, auth, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: auth.redirectUri,
    ...(flow.verifier === null ? {} : { code_verifier: flow.verifier }),
  })
  if (response.error !== undefined) {
    return { error: `Cannot exchange the code: ${response.error}.` }
  }
  const { tokens } = response
  const { toolId } = flow
  const scope = tokens.scope ?? auth.scopes?.join(' ') ?? null
  await database.scoped(projectId, async (tables) => {
    // Consent that another user gave before is dropped with its refresh token.
    await tables.delete(toolTokens).where(eq(toolTokens.toolId, toolId))
    await saveTokens(services, tables, { projectId, toolId }, { tokens, scope, secret })
  })
  return { toolId, scope }
}
