import { limits } from '@servicekit/contract'
import { sql } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Tables } from '../database/database.ts'
import { senderTo } from '../outgoing/send.ts'
import type { Project } from '../projects/project-directory.ts'
import { instant } from '../queue/jobs.ts'
import type { Services } from '../services.ts'
import { sealToken, type TokenPlace } from './seal-token.ts'
import { findTool } from './store.ts'
import { type CodeFlowAuth, codeFlowOf } from './tool.ts'

/** How long a user has to agree, in ms. */
const flowMs = limits.toolAuthorizationMs.min
const exchangeTimeoutMs = 20_000

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/**
 * Begins an authorization-code flow: the state and the PKCE verifier are stored,
 * the state as a hash, and the address holds the rest (section 4.8).
 */
export async function beginFlow(
  tables: Tables,
  { options }: Services,
  project: Project,
  toolId: string,
  auth: CodeFlowAuth,
): Promise<string> {
  // The callback comes without a project header; its state says where to look.
  const state = `${project.id}.${options.randomBytes(32).toString('base64url')}`
  const verifier = auth.usePkce === false ? null : options.randomBytes(32).toString('base64url')
  const now = options.now()
  await tables.execute(sql`
    delete from servicekit.tool_flows where expires_at <= ${instant(now)}`)
  await tables.execute(sql`
    insert into servicekit.tool_flows (project_id, state_hash, tool_id, verifier, expires_at)
    values (${project.id}::int, ${hashOf(state)}, ${toolId}, ${verifier},
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
      : { code_challenge: hashOf(verifier), code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** What came of a callback. */
export type FlowResult =
  | { readonly toolId: string; readonly scope: string | null }
  | { readonly fault: string }

const Tokens = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string().default('Bearer'),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  expires_in: z.coerce.number().positive().optional(),
})

/**
 * Ends a flow: exchanges the code of a callback for tokens. A state is good for
 * one callback, whatever comes of it.
 */
export async function endFlow(
  services: Services,
  parameters: Readonly<Record<string, string>>,
): Promise<FlowResult> {
  const { database, options } = services
  const { state = '', code, error, error_description, iss } = parameters
  const projectId = Number(/^(\d{1,9})\./.exec(state)?.[1])
  if (!Number.isSafeInteger(projectId)) return { fault: 'The state is not known.' }
  const flow = await database.scoped(projectId, (tables) => takeFlow(tables, state, options.now()))
  if (!flow) return { fault: 'The state is not known, was used already, or is too old.' }
  if (error !== undefined) {
    return { fault: `The authorization server says ${error}. ${error_description ?? ''}`.trim() }
  }
  if (code === undefined) return { fault: 'There is no code.' }
  const auth = codeFlowOf(flow.auth)
  if ('fault' in auth) return auth
  const secret = await services.secret()
  if (secret === undefined) {
    return { fault: 'This platform has no secret (SERVICEKIT_SECRET) to keep tokens with.' }
  }
  if (auth.issuer !== undefined && iss !== undefined && iss !== auth.issuer) {
    return { fault: 'The answer is from another authorization server.' }
  }
  const exchanged = await exchange(services, auth, code, flow.verifier)
  if (exchanged.fault !== undefined) return { fault: exchanged.fault }
  const { tokens } = exchanged
  const { scope = auth.scopes?.join(' ') ?? null, expires_in: seconds } = tokens
  const now = options.now()
  const expiresAt = seconds === undefined ? null : new Date(now.getTime() + seconds * 1000)
  const seal = (token: string, kind: TokenPlace['kind']): string =>
    sealToken(token, secret, { projectId, toolId: flow.toolId, kind }, options.randomBytes)
  await database.scoped(projectId, (tables) =>
    tables.execute(sql`
      insert into servicekit.tool_tokens (project_id, tool_id, access_token, refresh_token,
        token_type, scope, expires_at, received_at)
      values (${projectId}::int, ${flow.toolId},
        ${seal(tokens.access_token, 'access')},
        ${tokens.refresh_token === undefined ? null : seal(tokens.refresh_token, 'refresh')},
        ${tokens.token_type}, ${scope},
        ${expiresAt?.toISOString() ?? null}::timestamptz, ${instant(now)})
      on conflict (project_id, tool_id) do update set access_token = excluded.access_token,
        refresh_token = excluded.refresh_token, token_type = excluded.token_type,
        scope = excluded.scope, expires_at = excluded.expires_at,
        received_at = excluded.received_at`),
  )
  return { toolId: flow.toolId, scope }
}

async function takeFlow(tables: Tables, state: string, now: Date) {
  const { rows } = await tables.execute<{
    tool_id: string
    verifier: string | null
    ok: boolean
  }>(sql`
    delete from servicekit.tool_flows where state_hash = ${hashOf(state)}
    returning tool_id, verifier, expires_at > ${instant(now)} as ok`)
  const [row] = rows
  if (!row?.ok) return undefined
  const tool = await findTool(tables, row.tool_id)
  return tool && { toolId: row.tool_id, verifier: row.verifier, auth: tool.auth }
}

async function exchange(
  { options }: Services,
  auth: CodeFlowAuth,
  code: string,
  verifier: string | null,
): Promise<
  | { readonly tokens: z.infer<typeof Tokens>; readonly fault?: undefined }
  | { readonly fault: string }
> {
  const { clientId, clientSecret, redirectUri, tokenUrl } = auth
  const isBasic = clientSecret !== undefined && auth.tokenAuthMethod !== 'client_secret_post'
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...(verifier === null ? {} : { code_verifier: verifier }),
    ...(isBasic ? {} : { client_id: clientId }),
    ...(isBasic || clientSecret === undefined ? {} : { client_secret: clientSecret }),
  })
  const encoded = [clientId, clientSecret ?? ''].map((part) => encodeURIComponent(part)).join(':')
  try {
    const { status, text } = await senderTo(options.outgoing)({
      method: 'POST',
      url: tokenUrl,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(isBasic ? { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` } : {}),
      },
      body: form.toString(),
      timeoutMs: exchangeTimeoutMs,
    })
    if (status !== 200)
      return { fault: `The code was not exchanged: the server answered ${status}.` }
    const tokens = Tokens.safeParse(JSON.parse(text))
    return tokens.success
      ? { tokens: tokens.data }
      : { fault: 'The server answered without an access token.' }
  } catch (error) {
    return { fault: `The code was not exchanged: ${(error as Error).message}` }
  }
}
