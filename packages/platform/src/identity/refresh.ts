import { and, eq } from 'drizzle-orm'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { callTokenEndpoint, type TokenResponse } from './token-endpoint.ts'
import type { AuthorizationServer } from './identity.ts'
import { decrypt, encrypt, hashSecret } from './secrets.ts'
import { renewSession } from './sessions.ts'
import { graceMs } from './lifetimes.ts'
import { clients, oidcStates } from './tables.ts'

/** Dependencies of a token refresh. */
export interface RefreshParts {
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
  parts: RefreshParts,
  token: string,
  form: URLSearchParams,
): Promise<TokenResponse> {
  const { services, project, server } = parts
  const { database, options } = services
  const row = await findToken(parts, token)
  if (row && (await mayReplay(parts, row, form))) {
    return (await findSuccessor(parts, token)) ?? alreadyUsed
  }
  const sent = new URLSearchParams(form)
  sent.set('refresh_token', token)
  const response = await callTokenEndpoint(server, sent)
  if (response.status === 200 && row) {
    const successor = encrypt(JSON.stringify(response.body), token, [row.hash])
    await database.scoped(project.id, async (tables) => {
      await tables.update(oidcStates).set({ successor }).where(isToken(row.hash))
      if (row.grantId) await renewSession(tables, row.grantId, options.now())
    })
    return response
  }
  // Another request exchanged the token between our lookup and our exchange.
  const used = response.status === 400 ? await findToken(parts, token) : undefined
  const isReplay = used && (await mayReplay(parts, used, form))
  return (isReplay && (await findSuccessor(parts, token))) || response
}

const alreadyUsed: TokenResponse = {
  status: 400,
  body: { error: 'invalid_grant', error_description: 'it was used already' },
}

type Row = typeof oidcStates.$inferSelect

const isToken = (hash: string) =>
  and(eq(oidcStates.kind, 'RefreshToken'), eq(oidcStates.hash, hash))

async function findToken({ services, project }: RefreshParts, token: string) {
  const [row] = await services.database.scoped(project.id, (tables) =>
    tables
      .select()
      .from(oidcStates)
      .where(isToken(hashSecret(token))),
  )
  return row
}

/**
 * Returns true if the token was used within the grace period, by the same client. A client
 * with a secret must authenticate each time, so its response is never replayed.
 */
async function mayReplay(
  { services, project }: RefreshParts,
  { consumedAt, payload }: Row,
  form: URLSearchParams,
): Promise<boolean> {
  const id = form.get('client_id')
  if (!consumedAt || services.options.now().getTime() - consumedAt.getTime() > graceMs) return false
  if (id === null || payload['clientId'] !== id) return false
  const [client] = await services.database.scoped(project.id, (tables) =>
    tables.select().from(clients).where(eq(clients.clientId, id)),
  )
  return client !== undefined && client.secretHash === null
}

/** Waits until the response to the first request is stored, usually for milliseconds. */
async function findSuccessor(
  parts: RefreshParts,
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
