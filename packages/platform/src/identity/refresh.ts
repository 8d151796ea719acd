import { and, eq } from 'drizzle-orm'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import { exchange, type Exchanged } from './exchange.ts'
import type { AuthorizationServer } from './identity.ts'
import { decrypt, encrypt, hashSecret } from './secrets.ts'
import { renewSession } from './sessions.ts'
import { graceMs } from './state-adapter.ts'
import { clients, oidcStates } from './tables.ts'

/** Dependencies of a token refresh. */
export interface RefreshParts {
  readonly database: Database
  readonly project: Project
  readonly options: Pick<ResolvedOptions, 'now'>
  readonly server: AuthorizationServer
}

/** Maximum time for which a second request waits for the response to the first, in ms. */
const patienceMs = 3000

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
): Promise<Exchanged> {
  const row = await find(parts, token)
  if (row && isInGrace(parts, row) && (await mayReplay(parts, row, form))) {
    return (await successor(parts, token)) ?? refused(400, 'invalid_grant', 'it was used already')
  }
  const sent = new URLSearchParams(form)
  sent.set('refresh_token', token)
  const answer = await exchange(parts.server, sent)
  if (answer.status === 200 && row) {
    const text = JSON.stringify(answer.body)
    await keep(parts, row.hash, encrypt(text, token, [row.hash]))
    if (row.grantId) {
      const { database, project, options } = parts
      await renewSession({ database, projectId: project.id, now: options.now }, row.grantId)
    }
    return answer
  }
  // Another request exchanged the token between our lookup and our exchange.
  const now = answer.status === 400 ? await find(parts, token) : undefined
  const isReplay = now && isInGrace(parts, now) && (await mayReplay(parts, now, form))
  return (isReplay && (await successor(parts, token))) || answer
}

type Row = typeof oidcStates.$inferSelect

const refused = (status: number, error: string, description: string): Exchanged => ({
  status,
  body: { error, error_description: description },
})

const isToken = (hash: string) =>
  and(eq(oidcStates.kind, 'RefreshToken'), eq(oidcStates.hash, hash))

const find = ({ database, project }: RefreshParts, token: string): Promise<Row | undefined> =>
  database.scoped(project.id, async (tables) => {
    const [row] = await tables
      .select()
      .from(oidcStates)
      .where(isToken(hashSecret(token)))
    return row
  })

const isInGrace = ({ options }: RefreshParts, { consumedAt }: Row): boolean =>
  consumedAt !== null && options.now().getTime() - consumedAt.getTime() <= graceMs

/**
 * Returns true if the response may be replayed. A client with a secret must authenticate
 * each time, so it never may.
 */
async function mayReplay(
  { database, project }: RefreshParts,
  { payload }: Row,
  form: URLSearchParams,
): Promise<boolean> {
  const id = form.get('client_id')
  if (id === null || payload['clientId'] !== id) return false
  const [client] = await database.scoped(project.id, (tables) =>
    tables.select().from(clients).where(eq(clients.clientId, id)),
  )
  return client !== undefined && client.secretHash === null
}

/**
 * Waits until the response to the first request is stored, which usually takes
 * milliseconds.
 */
async function successor(parts: RefreshParts, token: string): Promise<Exchanged | undefined> {
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline) {
    const row = await find(parts, token)
    if (!row) return undefined
    if (row.successor !== null) {
      const body = decrypt(row.successor, token, [row.hash])!
      return { status: 200, body: JSON.parse(body) as Exchanged['body'] }
    }
    await sleep(20)
  }
  return undefined
}

const keep = ({ database, project }: RefreshParts, hash: string, sealed: string) =>
  database.scoped(project.id, (tables) =>
    tables.update(oidcStates).set({ successor: sealed }).where(isToken(hash)),
  )
