import { data } from '@servicekit/contract'
import * as schemas from '../data/schemas.ts'
import {
  type Control,
  created,
  httpError,
  onProject,
  onRemove,
  parseInteger,
  requireFound,
  requireUnchanged,
} from './control-call.ts'
import { sendInvitation } from '../identity/accounts.ts'
import { createClient, listClients, removeClient, rotateSecret } from '../identity/clients.ts'
import { after } from '../identity/lifetimes.ts'
import { listMails, takeMail } from '../identity/mails.ts'
import { IdentityFile } from '../identity/parse-identity.ts'
import { removeRole } from '../identity/roles.ts'
import { createTicket, redeemTicket, signInAsPath } from '../identity/sign-in-as.ts'
import { findUser, updateUser } from '../identity/users.ts'
import { saveIdentity } from '../identity/save-identity.ts'
import { endSessionsOf, listSessions } from '../identity/sessions.ts'
import { rotateSigningKey } from '../identity/settings.ts'
import { Forbidden } from '../http/rejected-request.ts'
import { mails } from '../database/tables.ts'
import type { Tables } from '../database/database.ts'
import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { z } from 'zod'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppEnv } from '../http/app-env.ts'
import { findQuestions, removeQuestion } from '../knowledge/store.ts'
import type { Services } from '../services.ts'
import { currentToken, endFlow } from '../tools/oauth.ts'
import * as tools from '../tools/store.ts'
import { Agent, Tool } from '../tools/tool.ts'

const Definition = data.DataSchema.nullable()
/** Draft of a schema, null for its removal, and the draft or schema that the client knows. */
const SchemaChange = z.strictObject({ definition: Definition, expected: Definition })
/** Drafts that the client knows; without them, a request concerns all. */
const KnownDrafts = z
  .strictObject({ drafts: z.array(z.looseObject({ schemaName: z.string() })).optional() })
  .optional()

/** Routes that edit drafts of data schemas and publish them. */
export function schemaRoutes(control: Control): void {
  onProject(control, 'GET /schemas', ({ snapshot }) => snapshot(schemas.readSchemaDrafts))
  onProject(control, 'PUT /schemas/:name', async (call) => {
    const name = call.param('name')
    const given = await call.read(z.union([SchemaChange, data.DataSchema]))
    const { definition, expected } = 'schemaName' in given ? { definition: given } : given
    if (definition && definition.schemaName !== name) {
      throw httpError(400, 'schemaName must be equal to the name in the URL.')
    }
    const id = call.services.options.newId()
    return call.transaction((tables) =>
      schemas.draftSchema(tables, call.project.id, name, definition, id, expected),
    )
  })
  onProject(control, 'DELETE /schemas/:name', async ({ project, param, transaction }) => {
    await transaction((tables) => schemas.draftSchema(tables, project.id, param('name'), null, ''))
  })
  onProject(control, 'POST /schemas/publish', async ({ project, read, transaction }) => {
    const known = await read(KnownDrafts)
    return transaction((tables) => schemas.publishSchemas(tables, project.id, known?.drafts))
  })
  onProject(control, 'POST /schemas/discard', async ({ project, read, transaction }) => {
    const known = await read(KnownDrafts)
    return transaction((tables) => schemas.discardSchemaDrafts(tables, project.id, known?.drafts))
  })
}

/** Rotation of a secret or key; the one before stays valid for up to 30 days. */
const Rotation = z.strictObject({ overlapSeconds: z.int().min(0).max(2_592_000) })

const NewClient = z.strictObject({
  clientId: z.string().min(1).max(200),
  name: z.string().optional(),
  roles: z.array(z.string()).default([]),
  organizations: z.array(z.string()).nullable().default(null),
  redirectUris: z.array(z.url()).default([]),
  postLogoutRedirectUris: z.array(z.url()).default([]),
})

export function identityRoutes(control: Control): void {
  onProject(control, 'PUT /identity', async ({ services, project, read }) => {
    await saveIdentity(services, project, await read(IdentityFile))
  })
  onProject(control, 'GET /clients', ({ snapshot }) => snapshot(listClients))
  onProject(control, 'POST /clients', async ({ project, read, transaction }) => {
    const { name, ...client } = await read(NewClient)
    const { clientId } = client
    const values = { projectId: project.id, name: name ?? clientId, ...client }
    const clientSecret = await transaction((tables) => createClient(tables, values))
    if (clientSecret === undefined) throw httpError(409, `There is a client ${clientId} already.`)
    return created({ clientId, clientSecret })
  })
  onProject(control, 'POST /clients/:id/rotate', async ({ services, param, read, transaction }) => {
    const { overlapSeconds } = await read(Rotation)
    const until = after(services.options.now(), overlapSeconds)
    const clientSecret = await transaction((tables) => rotateSecret(tables, param('id'), until))
    requireFound(clientSecret !== undefined, 'client')
    return { clientId: param('id'), clientSecret, previousSecretUntil: until }
  })
  onRemove(control, '/clients', 'client', removeClient)
  onProject(control, 'POST /signing-key/rotate', async ({ services, project, read }) => {
    const now = services.options.now()
    const previousKeysUntil = after(now, (await read(Rotation)).overlapSeconds)
    const kid = await rotateSigningKey(services.database, project.id, now, previousKeysUntil)
    return { kid, previousKeysUntil }
  })
  onProject(control, 'GET /inbox', ({ query, snapshot }) =>
    snapshot((tables) => listMails(tables, query['recipient'])),
  )
  onProject(control, 'POST /inbox/wait', async ({ query, transaction }) => {
    const { recipient, timeoutMs } = query
    if (!recipient) throw httpError(400, 'The parameter recipient is missing.')
    const until = performance.now() + parseInteger(timeoutMs, 30_000, 60_000)
    for (;;) {
      const mail = await transaction((tables) => takeMail(tables, recipient))
      if (mail) return mail
      if (performance.now() > until) throw httpError(404, `There is no mail to ${recipient}.`)
      await sleep(100)
    }
  })
  onProject(control, 'DELETE /roles/:slug', async ({ param, transaction }) => {
    const isKnown = await transaction((tables) => removeRole(tables, param('slug'))).catch(
      (error: unknown) => {
        throw error instanceof Forbidden ? httpError(409, error.message) : error
      },
    )
    requireFound(isKnown, 'role')
  })
  onProject(control, 'POST /users/:id/activate', async ({ services, param, transaction }) => {
    const now = services.options.now()
    const changes = { active: true, lastUpdatedDate: now }
    const activate = (tables: Tables) => updateUser(tables, param('id'), changes, now)
    requireFound(await transaction(activate), 'user')
  })
  onProject(control, 'POST /users/:id/invitation', async ({ c, param, transaction, ...call }) => {
    await transaction(async (tables) => {
      const user = await findUser(tables, param('id'))
      requireFound(user?.active === false && !user.isVerified, 'user who was not activated')
      await sendInvitation(tables, { ...call, request: c.req.raw }, user!, 'Invitation')
    })
  })
  onProject(control, 'GET /users/:id/sessions', ({ services, param, snapshot }) =>
    snapshot((tables) => listSessions(tables, param('id'), services.options.now())),
  )
  onProject(control, 'DELETE /users/:id/sessions', ({ services, param, transaction }) =>
    transaction((tables) => endSessionsOf(tables, param('id'), services.options.now())),
  )
  onProject(control, 'POST /inbox/:id/sign-in', createTicket)
  onProject(control, `GET ${signInAsPath}`, redeemTicket)
  onProject(control, 'DELETE /inbox', async ({ transaction }) => {
    await transaction((tables) => tables.delete(mails))
  })
}

const maxQuestions = 200

/** Values that the client knows of what it changes, null if there was none; omitted, anything. */
const expected = z.record(z.string(), z.unknown()).nullable().optional()
const Tutorial = z.strictObject({
  tutorial: z.record(z.string(), z.unknown()).nullable(),
  expected,
})

/** Rejects a change if a listed value differs from what the client knows. @throws HTTPException 409 */
async function requireKnown(
  tables: Tables,
  noun: 'tool' | 'agent',
  id: string,
  known: z.infer<typeof expected>,
): Promise<void> {
  if (known === undefined) return
  const table = sql.identifier(`${noun}s`)
  await tables.execute(sql`select from servicekit.${table} where item_id = ${id} for update`)
  const list = await (noun === 'tool' ? tools.listTools(tables) : tools.listAgents(tables))
  const found: Readonly<Record<string, unknown>> | undefined = list.find((one) => one.itemId === id)
  const names = Object.keys(known ?? {})
  const current = found && Object.fromEntries(names.map((name) => [name, found[name]]))
  requireUnchanged(current ?? null, known, noun)
}

export function toolRoutes(control: Control): void {
  onProject(control, 'GET /tools', ({ snapshot }) => snapshot(tools.listTools))
  onProject(control, 'PUT /tools/:id', async ({ services, project, param, read, transaction }) => {
    const { expected: known, ...tool } = await read(Tool.extend({ expected }))
    const itemId = param('id')
    await transaction(async (tables) => {
      await requireKnown(tables, 'tool', itemId, known)
      await tools.saveTool(services, tables, project.id, itemId, tool)
    })
    return { itemId }
  })
  onRemove(control, '/tools', 'tool', tools.removeTool)
  onProject(control, 'PUT /tools/:id/tutorial', async ({ services, param, read, transaction }) => {
    const { tutorial, expected: known } = await read(Tutorial)
    const [id, now] = [param('id'), services.options.now()]
    await transaction(async (tables) => {
      await requireKnown(tables, 'tool', id, known)
      requireFound(await tools.saveTutorial(tables, id, tutorial, now), 'tool')
    })
  })
  onProject(control, 'GET /tools/:id/token', ({ services, project, param }) =>
    currentToken(services, project, param('id')),
  )
  onProject(control, 'GET /agents', ({ snapshot }) => snapshot(tools.listAgents))
  onProject(control, 'PUT /agents/:id', async ({ project, param, read, transaction }) => {
    const { expected: known, ...agent } = await read(Agent.extend({ expected }))
    const itemId = param('id')
    await transaction(async (tables) => {
      await requireKnown(tables, 'agent', itemId, known)
      await tools.saveAgent(tables, project.id, itemId, agent)
    })
    return { itemId }
  })
  onRemove(control, '/agents', 'agent', tools.removeAgent)
  onProject(control, 'GET /knowledge', async ({ query, snapshot }) => {
    const limit = parseInteger(query['limit'], 20, maxQuestions)
    const { search, agent: agentId } = query
    return snapshot((tables) => findQuestions(tables, { search, agentId }, limit))
  })
  onRemove(control, '/knowledge', 'question', (tables, id) =>
    removeQuestion(tables, parseInteger(id, 0)),
  )
}

/**
 * OAuth callback of tools: an authorization server redirects the browser here after a user
 * authorized a tool. It needs no authentication, because the state parameter is secret and
 * valid only once.
 */
export function toolCallback(app: Hono<AppEnv>, services: () => Promise<Services>): void {
  app.get('/_platform/tools/callback', async (c) => {
    const result = await endFlow(await services(), c.req.query())
    const status = 'toolId' in result ? 200 : 400
    c.header('cache-control', 'no-store')
    c.header('referrer-policy', 'no-referrer')
    const supports = ['text/plain', 'application/json']
    const type = accepts(c, { header: 'Accept', supports, default: 'text/plain' })
    if (type === 'application/json') return c.json(result, status)
    return c.text(
      'toolId' in result ? 'The tool is connected. You can close this page.' : result.error,
      status,
    )
  })
}
