import { limits } from '@servicekit/contract'
import { and, eq, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotFound, Unavailable } from '../domain-errors.ts'
import type { Tables } from '../database/database.ts'
import { toolFlows, toolTokens } from '../database/tables.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import { requestToken, type Tokens } from './request-token.ts'
import { findAuth, lockTool, targetOf } from './store.ts'
import { type CodeFlowAuth, codeFlowOf } from './tool.ts'
import { createSecret, decrypt, encrypt, hashSecret, type SecretContext } from '../secrets.ts'

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

type FlowResult =
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
  const isSaved = await database.scoped(projectId, async (tables) => {
    const tool = await lockTool(tables, toolId)
    if (!tool || targetOf(tool.auth) !== targetOf(auth)) return false
    // Consent that another user gave before is dropped with its refresh token.
    await tables.delete(toolTokens).where(eq(toolTokens.toolId, toolId))
    const values = tokenValues(services, { projectId, toolId, auth }, { tokens, scope, secret })
    await tables.insert(toolTokens).values({ projectId, toolId, ...values })
    return true
  })
  if (isSaved) return { toolId, scope }
  return { error: 'The tool changed while it was being connected. Connect it again.' }
}

/** Remaining lifetime at which a token is renewed, in ms, unless that is half of its lifetime. */
const marginMs = 30_000
/** Time limit of a renewal before another one may start, in ms. */
const renewalMs = 30_000
const pollMs = 50

interface ConnectedTool {
  readonly projectId: number
  readonly toolId: string
  readonly auth: CodeFlowAuth
}

/**
 * Context of a tool's tokens. They belong to the origin of the token URL: after it changes, no
 * request can send the old tokens to the new one.
 */
const tokenContext = (
  { projectId, toolId, auth }: ConnectedTool,
  kind: 'access' | 'refresh',
): SecretContext => [projectId, toolId, kind, targetOf(auth)!]

/** Returns the columns of tokens, encrypted; without a new refresh token, the old one is kept. */
function tokenValues(
  { options }: Pick<Services, 'options'>,
  tool: ConnectedTool,
  { tokens, scope, secret }: { tokens: Tokens; scope: string | null; secret: string },
) {
  const now = options.now()
  const { access_token, refresh_token, token_type: tokenType, expires_in: seconds } = tokens
  const encrypted = (token: string, kind: 'access' | 'refresh') =>
    encrypt(token, secret, tokenContext(tool, kind))
  return {
    accessToken: encrypted(access_token, 'access'),
    ...(refresh_token === undefined ? {} : { refreshToken: encrypted(refresh_token, 'refresh') }),
    tokenType,
    scope,
    expiresAt: seconds === undefined ? null : new Date(now.getTime() + seconds * 1000),
    receivedAt: now,
    renewingUntil: null,
  }
}

const notConnected = () => new NotFound('The tool is not connected.')

/**
 * Returns the token of a tool, renewed if it expires and the authorization server issued a
 * refresh token. Concurrent callers, here and on other instances, get the same new token. A call
 * renews at most once, however short the lifetime of the new token is.
 *
 * @throws NotFound without a valid token, 502 if a later request may succeed.
 */
export async function currentToken(services: Services, { id: projectId }: Project, toolId: string) {
  const { database, options } = services
  const secret = await services.secret()
  if (secret === undefined) throw notConnected()
  const deadline = performance.now() + renewalMs
  let first: string | undefined
  for (;;) {
    const { row, auth } = await database.scoped(projectId, async (tables) => {
      const stored = await findAuth(tables, projectId, toolId, secret)
      const [tokens] = await tables.select().from(toolTokens).where(eq(toolTokens.toolId, toolId))
      return { row: tokens, auth: stored && codeFlowOf(stored) }
    })
    if (!row || !auth || 'error' in auth) throw notConnected()
    const tool = { projectId, toolId, auth }
    const accessToken = decrypt(row.accessToken, secret, tokenContext(tool, 'access'))
    if (accessToken === undefined) throw notConnected()
    first ??= row.accessToken
    const isRenewed = row.accessToken !== first
    const { expiresAt, receivedAt, tokenType, scope } = row
    const leftMs = expiresAt ? expiresAt.getTime() - options.now().getTime() : Infinity
    const lifetimeMs = expiresAt ? expiresAt.getTime() - receivedAt.getTime() : Infinity
    const refreshToken =
      row.refreshToken && decrypt(row.refreshToken, secret, tokenContext(tool, 'refresh'))
    const isFresh = leftMs > Math.min(marginMs, lifetimeMs / 2)
    if (isRenewed || isFresh || (leftMs > 0 && !refreshToken)) {
      return { accessToken, tokenType, scope, expiresAt: expiresAt?.toISOString() ?? null }
    }
    if (!refreshToken) {
      const text = 'The token has expired, and there is no refresh token. Connect the tool again.'
      throw new NotFound(text)
    }
    if (await database.scoped(projectId, (tables) => lockRenewal(tables, row))) {
      await renew(services, tool, row, refreshToken, secret)
    } else if (performance.now() > deadline) {
      throw new Unavailable('Another request has been renewing the token for 30 s.')
    } else {
      await sleep(pollMs)
    }
  }
}

type TokenRow = typeof toolTokens.$inferSelect

/** Condition for the row of a tool as long as it has the same refresh token. */
const isCurrent = ({ toolId, refreshToken }: TokenRow) =>
  and(eq(toolTokens.toolId, toolId), eq(toolTokens.refreshToken, refreshToken!))

/**
 * Acquires the renewal lock, by the database's clock.
 *
 * @returns false if another caller holds the lock, or renewed the token since the row was read.
 */
async function lockRenewal(tables: Tables, row: TokenRow): Promise<boolean> {
  const now = sql`clock_timestamp()`
  const { rowCount } = await tables
    .update(toolTokens)
    .set({ renewingUntil: sql`${now} + ${renewalMs}::float8 * interval '1 ms'` })
    .where(
      and(isCurrent(row), or(isNull(toolTokens.renewingUntil), lt(toolTokens.renewingUntil, now))),
    )
  return rowCount === 1
}

/**
 * Renews the token of a row. What the server responds is about the refresh token of that row, and
 * changes nothing if a user connected or removed the tool in the meantime.
 */
async function renew(
  services: Services,
  tool: ConnectedTool,
  row: TokenRow,
  refreshToken: string,
  secret: string,
): Promise<void> {
  const response = await requestToken(services, tool.auth, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  })
  const { rowCount } = await services.database.scoped(tool.projectId, (tables) => {
    const update = (values: Partial<TokenRow>) =>
      tables.update(toolTokens).set(values).where(isCurrent(row))
    if (response.error === undefined) {
      const { tokens } = response
      const scope = tokens.scope ?? row.scope
      return update(tokenValues(services, tool, { tokens, scope, secret }))
    }
    // A rejected grant is not retried: a user has to consent again.
    return response.isRejected
      ? tables.delete(toolTokens).where(isCurrent(row))
      : update({ renewingUntil: null })
  })
  if (response.error === undefined || rowCount === 0) return
  const message = `Cannot renew the token: ${response.error}.`
  throw response.isRejected ? new NotFound(message) : new Unavailable(message)
}
