import { limits } from '@servicekit/contract'
import { isObject, parseJson } from '@servicekit/core'
import { and, eq, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { NotFound, Unavailable } from '../domain-errors.ts'
import type { Tables } from '../database/database.ts'
import { toolFlows, toolTokens } from '../database/tables.ts'
import {
  createSecret,
  decrypt,
  encrypt,
  hashSecret,
  type SecretContext,
} from '@servicekit/core/node'
import { senderTo } from '../outgoing/send.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import { findAuth } from './store.ts'
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
  await database.scoped(projectId, async (tables) => {
    // Consent that another user gave before is dropped with its refresh token.
    await tables.delete(toolTokens).where(eq(toolTokens.toolId, toolId))
    await saveTokens(services, tables, { projectId, toolId, auth }, { tokens, scope, secret })
  })
  return { toolId, scope }
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
): SecretContext => [projectId, toolId, kind, new URL(auth.tokenUrl).origin]

/** Saves tokens, encrypted; without a new refresh token, the old one is kept. */
async function saveTokens(
  { options }: Pick<Services, 'options'>,
  tables: Tables,
  tool: ConnectedTool,
  { tokens, scope, secret }: { tokens: Tokens; scope: string | null; secret: string },
): Promise<void> {
  const { projectId, toolId } = tool
  const now = options.now()
  const { access_token, refresh_token, token_type: tokenType, expires_in: seconds } = tokens
  const encrypted = (token: string, kind: 'access' | 'refresh') =>
    encrypt(token, secret, tokenContext(tool, kind))
  const values = {
    accessToken: encrypted(access_token, 'access'),
    ...(refresh_token === undefined ? {} : { refreshToken: encrypted(refresh_token, 'refresh') }),
    tokenType,
    scope,
    expiresAt: seconds === undefined ? null : new Date(now.getTime() + seconds * 1000),
    receivedAt: now,
    renewingUntil: null,
  }
  await tables
    .insert(toolTokens)
    .values({ projectId, toolId, ...values })
    .onConflictDoUpdate({ target: [toolTokens.projectId, toolTokens.toolId], set: values })
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
      await renew(services, tool, refreshToken, scope, secret)
    } else if (performance.now() > deadline) {
      throw new Unavailable('Another request has been renewing the token for 30 s.')
    } else {
      await sleep(pollMs)
    }
  }
}

/**
 * Acquires the renewal lock, by the database's clock.
 *
 * @returns false if another caller holds the lock, or renewed the token since the row was read.
 */
async function lockRenewal(
  tables: Tables,
  { toolId, refreshToken }: typeof toolTokens.$inferSelect,
): Promise<boolean> {
  const now = sql`clock_timestamp()`
  const { rowCount } = await tables
    .update(toolTokens)
    .set({ renewingUntil: sql`${now} + ${renewalMs}::float8 * interval '1 ms'` })
    .where(
      and(
        eq(toolTokens.toolId, toolId),
        eq(toolTokens.refreshToken, refreshToken!),
        or(isNull(toolTokens.renewingUntil), lt(toolTokens.renewingUntil, now)),
      ),
    )
  return rowCount === 1
}

async function renew(
  services: Services,
  tool: ConnectedTool,
  refreshToken: string,
  scope: string | null,
  secret: string,
): Promise<void> {
  const { database } = services
  const { projectId, toolId, auth } = tool
  const response = await requestToken(services, auth, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  })
  await database.scoped(projectId, async (tables) => {
    if (response.error === undefined) {
      const { tokens } = response
      return saveTokens(services, tables, tool, { tokens, scope: tokens.scope ?? scope, secret })
    }
    const isTool = eq(toolTokens.toolId, toolId)
    // A rejected grant is not retried: a user has to consent again.
    await (response.isRejected
      ? tables.delete(toolTokens).where(isTool)
      : tables.update(toolTokens).set({ renewingUntil: null }).where(isTool))
  })
  if (response.error === undefined) return
  const message = `Cannot renew the token: ${response.error}.`
  throw response.isRejected ? new NotFound(message) : new Unavailable(message)
}

/** Time limit of a request to a token URL, in ms. */
const timeoutMs = 20_000

/** Longest lifetime of a token that is believed, in seconds: ten years. */
const maxLifetimeSeconds = 315_360_000

const Tokens = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string().default('Bearer'),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  // A lifetime that makes no sense counts as none, which the protocol allows.
  expires_in: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.number().nonnegative().max(maxLifetimeSeconds))
    .optional()
    .catch(undefined),
})
type Tokens = z.infer<typeof Tokens>

type TokenResponse =
  | { readonly tokens: Tokens; readonly error?: undefined }
  | {
      readonly error: string
      /** True if the server rejected the grant itself, so that retrying cannot succeed. */
      readonly isRejected: boolean
    }

/** Requests tokens from a tool's token URL, with the tool's client credentials. */
async function requestToken(
  { options }: Pick<Services, 'options'>,
  auth: CodeFlowAuth,
  grant: Readonly<Record<string, string>>,
): Promise<TokenResponse> {
  const { clientId, clientSecret, tokenUrl } = auth
  const isBasic = clientSecret !== undefined && auth.tokenAuthMethod !== 'client_secret_post'
  const form = new URLSearchParams({
    ...grant,
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
      timeoutMs,
    })
    const body = parseJson(text)
    if (status !== 200) {
      const isRejected = isObject(body) && body['error'] === 'invalid_grant'
      return { error: `the server responded with status ${status}`, isRejected }
    }
    const tokens = Tokens.safeParse(body)
    return tokens.success
      ? { tokens: tokens.data }
      : { error: 'the response has no access token', isRejected: false }
  } catch (error) {
    return { error: (error as Error).message, isRejected: false }
  }
}
