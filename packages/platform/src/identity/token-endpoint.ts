import type { AuthorizationServer } from './identity.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import { findClient } from './clients.ts'
import { renewSession, type State, findState, isState } from './sessions.ts'
import { graceMs } from './lifetimes.ts'
import { oidcStates } from '../database/tables.ts'
import { DatabaseUnavailable } from '../database/unavailable.ts'
import { callNodeHandler } from './call-node-handler.ts'
import { decrypt, encrypt } from '../secrets.ts'

export interface TokenResponse {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export const callServer = (
  { provider, issuer }: AuthorizationServer,
  request: Request,
  path: string,
  body?: string,
): Promise<Response> => {
  const url = new URL(request.url)
  const address = new URL(`${issuer.pathname}${path}${url.search}`, issuer)
  const target = { url: address, mountPath: issuer.pathname }
  return callNodeHandler(provider.callback(), request, target, body)
}

export async function callTokenEndpoint(
  server: AuthorizationServer,
  form: URLSearchParams,
): Promise<TokenResponse> {
  const request = new Request(`${server.issuer.href}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  })
  const response = await callServer(server, request, '/token', form.toString())
  if (response.status === 503) throw new DatabaseUnavailable(new Error(await response.text()))
  return { status: response.status, body: (await response.json()) as TokenResponse['body'] }
}

export interface RefreshContext {
  readonly services: Services
  readonly project: Project
  readonly server: AuthorizationServer
}

/** Maximum time for which a second request waits for the response to the first, in ms. */
const maxWaitMs = 3000

/**
 * Exchanges a refresh token for its successor. A second use within a grace period, such
 * as by two tabs at once, receives the same response; later, the token is treated as
 * stolen and the whole session ends.
 *
 * The response is stored encrypted, with the token itself as the key, so that only the
 * holder of the token can receive it again.
 */
export async function refresh(
  parts: RefreshContext,
  token: string,
  form: URLSearchParams,
): Promise<TokenResponse> {
  const { services, project, server } = parts
  const { database, options } = services
  const sent = new URLSearchParams(form)
  sent.set('refresh_token', token)
  const response = await callTokenEndpoint(server, sent)
  const row = await findToken(parts, token)
  if (!row) return response
  if (response.status === 200) {
    const successor = encrypt(JSON.stringify(response.body), token, [row.hash])
    await database.scoped(project.id, async (tables) => {
      await tables.update(oidcStates).set({ successor }).where(isState(kind, token))
      if (row.grantId) await renewSession(tables, row.grantId, options.now())
    })
    return response
  }
  const isReplay = response.status === 400 && (await mayReplay(parts, row, form))
  return (isReplay && (await findSuccessor(parts, token))) || response
}

const kind = 'RefreshToken'

const findToken = ({ services, project }: RefreshContext, token: string) =>
  services.database.scoped(project.id, (tables) => findState(tables, kind, token))

/**
 * Returns true if the token was used within the grace period, by the same client. A client
 * with a secret must authenticate each time, so its response is never replayed.
 */
async function mayReplay(
  { services, project }: RefreshContext,
  { consumedAt, payload }: State,
  form: URLSearchParams,
): Promise<boolean> {
  const id = form.get('client_id')
  if (!consumedAt || services.options.now().getTime() - consumedAt.getTime() > graceMs) return false
  if (id === null || payload['clientId'] !== id) return false
  const client = await services.database.scoped(project.id, (tables) => findClient(tables, id))
  return client?.secretHash === null
}

/** Waits until the response to the first request is stored, usually for milliseconds. */
async function findSuccessor(
  parts: RefreshContext,
  token: string,
): Promise<TokenResponse | undefined> {
  const deadline = performance.now() + maxWaitMs
  while (performance.now() < deadline) {
    const row = await findToken(parts, token)
    if (!row) return undefined
    if (row.successor !== null) {
      const body = decrypt(row.successor, token, [row.hash])!
      return { status: 200, body: JSON.parse(body) as TokenResponse['body'] }
    }
    await sleep(20)
  }
  return undefined
}
