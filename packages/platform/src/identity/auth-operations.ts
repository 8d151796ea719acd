import { auth } from '@servicekit/contract'
import { ownAddress } from '../http/address.ts'
import { type Call, implementStorable } from '../http/mount.ts'
import { json, noStore, sessionError, notSaved, saved } from '../http/responses.ts'
import { activate } from './accounts.ts'
import { limitSecretGuesses } from './attempts.ts'
import { findClientOf } from './clients.ts'
import { projectCookies } from './cookies.ts'
import { callTokenEndpoint, refresh } from './token-endpoint.ts'
import { requireRegisteredPage } from '../http/cors.ts'
import type { AuthorizationServer } from './identity.ts'
import { after, lifetimes } from './lifetimes.ts'
import { isEqualSecret } from '@servicekit/core/node'
import {
  endSession,
  findSession,
  findState,
  replaceSession,
  saveState,
  takeState,
} from './sessions.ts'
import { sessions } from '../database/tables.ts'
import { displayNameOf } from './users.ts'
import { createSecret, hashSecret } from '../secrets.ts'

/** State kept between the start of a sign-in and its callback. */
interface Flow {
  readonly verifier: string
  readonly nonce: string
  readonly clientId: string
  readonly redirectUri: string
  /** Null for a client without a secret. */
  readonly secretHash: string | null
  /** Hash of a cookie in the browser that started the sign-in. */
  readonly browser: string
}

type AuthCall = Pick<Call, 'services' | 'project' | 'request'>

/** Operations of section 4.1. */
export const authOperations = [
  implementStorable(auth.initiate, initiate, { keyOf: (query) => query['x-service-key'] }),
  implementStorable(auth.callback, callback, {
    // A redirected browser cannot send the header, so the state contains the project key.
    keyOf: ({ state = '' }) => state.slice(0, Math.max(0, state.lastIndexOf('.'))),
  }),
  implementStorable(auth.getSession, getSession),
  implementStorable(auth.issueToken, issueToken),
  implementStorable(auth.activate, async (call) => {
    const done = await activate(call, call.body)
    if ('errors' in done) return notSaved(done.errors, { itemId: null }, 400)
    const { itemId, active, isVerified } = done.user
    return saved(itemId, { active, isVarified: isVerified })
  }),
  implementStorable(auth.logout, logout),
]

const cookiesOf = ({ services, project, request }: AuthCall) =>
  projectCookies(services.options, project, request)

const requirePage = ({ services, project, request }: AuthCall): void =>
  requireRegisteredPage(services.options, project, request)

const serverOf = ({ services, project, request }: AuthCall): Promise<AuthorizationServer> =>
  services.identity.server(project, ownAddress(services.options, request).origin)

async function initiate(call: Call<typeof auth.initiate>): Promise<Response> {
  const { services, project, query } = call
  const { unscoped } = services.database
  const client = await findClientOf(unscoped, project.id, query.clientId)
  if (!client) return sessionError(400, 'invalid_client', 'The client is not registered.')
  if (!client.redirectUris.includes(query.redirectUri)) {
    const text = 'The redirect URI is not registered. It must equal a registered one exactly.'
    return sessionError(400, 'invalid_redirect_uri', text)
  }
  const cookies = cookiesOf(call)
  const state = `${project.key}.${createSecret()}`
  const browser = cookies.read('flow') ?? createSecret()
  const flow: Flow = {
    verifier: createSecret(),
    nonce: createSecret(),
    clientId: query.clientId,
    redirectUri: query.redirectUri,
    secretHash: client.secretHash,
    browser: hashSecret(browser),
  }
  await saveState(unscoped, project.id, 'Flow', state, {
    payload: { ...flow },
    expiresAt: after(services.options.now(), lifetimes.flow),
  })
  const { issuer } = await serverOf(call)
  const parameters = new URLSearchParams({
    client_id: flow.clientId,
    redirect_uri: flow.redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    state,
    nonce: flow.nonce,
    code_challenge: hashSecret(flow.verifier),
    code_challenge_method: 'S256',
  })
  const address = `${issuer.href}/authorize?${parameters}`
  return noStore(json({ redirect_uri: address }), [cookies.set('flow', browser)])
}

/** Removes the flow from the database, so that a state is valid once. */
async function takeFlow(call: Call<typeof auth.callback>): Promise<Flow | undefined> {
  const { services, project, query } = call
  const browser = cookiesOf(call).read('flow')
  if (browser === undefined) return undefined
  const taken = await takeState(services.database.unscoped, project.id, 'Flow', query.state)
  if (!taken || taken.expiresAt <= services.options.now()) return undefined
  const flow = taken.payload as unknown as Flow
  return isEqualSecret(flow.browser, hashSecret(browser)) ? flow : undefined
}

async function callback(call: Call<typeof auth.callback>): Promise<Response> {
  const { services, project, query, request, transaction } = call
  const { options } = services
  // A redirected browser sends no Origin; a page that sends one must be allowed.
  if (request.headers.has('origin')) requirePage(call)
  const flow = await takeFlow(call)
  if (!flow) {
    const text = 'The state is unknown, belongs to another browser, or has expired. Sign in again.'
    return sessionError(400, 'invalid_state', text)
  }
  const server = await serverOf(call)
  const { status, body } = await callTokenEndpoint(
    server,
    new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: flow.clientId,
      ...(flow.secretHash === null ? {} : { client_secret: flow.secretHash }),
      code: query.code,
      redirect_uri: flow.redirectUri,
      code_verifier: flow.verifier,
    }),
  )
  const tokens = body as Record<'access_token' | 'refresh_token' | 'id_token', string>
  if (status !== 200) return sessionError(400, 'invalid_grant', 'The code is not valid.')
  const claims = claimsOf(tokens.id_token)
  if (claims['nonce'] !== flow.nonce) {
    return sessionError(400, 'invalid_grant', 'The code belongs to another sign-in.')
  }
  const session = createSecret()
  const now = options.now()
  await transaction(async (tables) => {
    const token = await findState(tables, 'AccessToken', tokens.access_token)
    await replaceSession(tables, cookiesOf(call).read('session'), token!.grantId!, now)
    await tables.insert(sessions).values({
      projectId: project.id,
      hash: hashSecret(session),
      sessionId: options.newId(),
      userId: String(claims['sub']),
      clientId: flow.clientId,
      organizationId: typeof claims['org_id'] === 'string' ? claims['org_id'] : null,
      grantId: token!.grantId!,
      createdAt: now,
      lastActivityAt: now,
      idleExpiresAt: after(now, lifetimes.idle),
      absoluteExpiresAt: after(now, lifetimes.absolute),
    })
  })
  const { id_token, token_type, expires_in, scope } = body
  const cookies = cookiesOf(call)
  return noStore(json({ id_token, token_type, expires_in, scope }), [
    cookies.set('session', session),
    cookies.set('access', tokens.access_token),
    cookies.set('refresh', tokens.refresh_token),
  ])
}

/** Decodes the claims of a token that this process has just issued, without verification. */
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>

async function findOwnSession(call: AuthCall) {
  const cookie = cookiesOf(call).read('session')
  if (cookie === undefined) return undefined
  const { services, project } = call
  return findSession(services.database.unscoped, project.id, cookie)
}

async function getSession(call: Call<typeof auth.getSession>): Promise<Response> {
  requirePage(call)
  const found = await findOwnSession(call)
  if (!found) return sessionError(401, 'session_not_found', 'Nobody is signed in.')
  const { isRevoked, grantId: _, sessionId, userId, user, ...times } = found
  if (isRevoked) return sessionError(404, 'session_revoked', 'The session was ended.')
  const now = call.services.options.now()
  if (times.idleExpiresAt <= now || times.absoluteExpiresAt <= now) {
    return sessionError(401, 'session_expired', 'The session has expired.')
  }
  const displayName = user ? displayNameOf(user) : null
  const account = { userId, displayName, loginAt: times.createdAt }
  return noStore(json({ sessionId, accounts: [account], ...times }))
}

async function issueToken(call: Call<typeof auth.issueToken>): Promise<Response> {
  const { services, project, body } = call
  const server = await serverOf(call)
  const given = new URLSearchParams(body)
  if (body.grant_type === 'client_credentials') {
    const { status, body: token } = await limitSecretGuesses(call, given, (form) =>
      callTokenEndpoint(server, form),
    )
    if (status !== 200) return noStore(json(token, status))
    const expiresIn = Number(token['expires_in'])
    const camel = {
      accessToken: token['access_token'],
      tokenType: token['token_type'],
      expiresIn,
      expiresUtc: after(services.options.now(), expiresIn),
    }
    // Includes both names, because instances differ and clients read the one they know.
    return noStore(json({ ...token, ...camel }))
  }
  requirePage(call)
  const cookies = cookiesOf(call)
  const token = cookies.read('refresh')
  if (token === undefined) {
    return noStore(sessionError(400, 'invalid_grant', 'There is no session to renew.'))
  }
  const { status, body: renewed } = await limitSecretGuesses(call, given, (form) =>
    refresh({ services, project, server }, token, form),
  )
  if (status !== 200) return noStore(json(renewed, status))
  const { token_type, expires_in, scope, id_token, access_token, refresh_token } = renewed
  return noStore(json({ token_type, expires_in, scope, id_token, cookie_set: true }), [
    cookies.set('access', String(access_token)),
    cookies.set('refresh', String(refresh_token)),
  ])
}

async function logout(call: Call<typeof auth.logout>): Promise<Response> {
  requirePage(call)
  const found = await findOwnSession(call)
  if (!found || found.isRevoked) {
    return sessionError(400, 'invalid_request', 'There is no session to end.')
  }
  const { sessionId, grantId } = found
  await call.transaction((tables) => endSession(tables, grantId, call.services.options.now()))
  const cookies = cookiesOf(call)
  return noStore(saved(sessionId), [
    cookies.set('access', undefined),
    cookies.set('refresh', undefined),
  ])
}
