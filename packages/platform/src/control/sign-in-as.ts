import { identity as contract } from '@servicekit/contract/control'
import { isLoopbackUrl } from '@servicekit/core'
import { eq } from 'drizzle-orm'
import { Conflict, PermissionDenied, requireFound } from '../domain-errors.ts'
import { scopesOf } from '../database/database.ts'
import { mails, oidcStates, sessions, users } from '../database/tables.ts'
import { isControlOpen, ownAddress } from '../http/address.ts'
import { noStore } from '../http/responses.ts'
import { listClients } from '../identity/clients.ts'
import { projectCookies } from '../identity/cookies.ts'
import { after, lifetimes } from '../identity/lifetimes.ts'
import { messagePage, pageHeaders } from '../identity/pages.ts'
import { isState, replaceSession, saveState } from '../identity/sessions.ts'
import { displayNameOf, findByName, findUser } from '../identity/users.ts'
import type { CallOf, ReadCall } from './control-operation.ts'
import { createSecret, hashSecret } from '../secrets.ts'

const kind = 'SignInTicket'
/** Lifetime of a ticket in seconds. */
const lifetime = 60

/** Returns an address of this machine on the other loopback name, whose cookies are separate. */
function onOtherName(address: URL | string): URL {
  const url = new URL(address)
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return url
}

/** Requires a request of this machine to a platform without a control token. @throws PermissionDenied */
function requireThisMachine({ c, services: { options } }: Pick<ReadCall, 'c' | 'services'>): void {
  if (isControlOpen(c, options)) return
  throw new PermissionDenied(
    'Signing in as a user is possible only in development, on this machine.',
  )
}

/**
 * Creates a ticket that signs in as the recipient of a mail, on the other loopback name. It is
 * valid once and for a minute. Responds with the URL to open.
 */
export async function createTicket(call: CallOf<typeof contract.createSignInTicket>) {
  requireThisMachine(call)
  const { c, services, project, path, transaction } = call
  const { options } = services
  const ticket = createSecret()
  const url = onOtherName(ownAddress(options, c.req.raw))
  await transaction(async (tables) => {
    const [mail] = await tables.select().from(mails).where(eq(mails.itemId, path.id))
    requireFound(mail !== undefined, 'mail')
    const user = await findByName(tables, mail!.recipient)
    if (!user?.active) throw new Conflict(`There is no active user ${mail!.recipient}.`)
    const client = (await listClients(tables)).find(({ redirectUris }) => redirectUris.length > 0)
    if (!client) throw new Conflict('The project has no client that users sign in with.')
    await saveState(tables, project.id, kind, ticket, {
      payload: { host: url.host, clientId: client.clientId },
      accountId: user.itemId,
      expiresAt: after(options.now(), lifetime),
    })
  })
  const { path: template } = contract.redeemSignInTicket.route
  url.pathname = template.replace('{project}', () => encodeURIComponent(project.key))
  url.searchParams.set('ticket', ticket)
  return { url: url.href }
}

/**
 * Exchanges a ticket for the cookies of a session, on the name that the ticket is for. A page of the
 * other name opens this address. The ticket in it is secret and valid once.
 */
export async function redeemTicket(
  call: CallOf<typeof contract.redeemSignInTicket>,
): Promise<Response> {
  requireThisMachine(call)
  const { c, services, project, query } = call
  const { options, identity } = services
  const { transaction } = scopesOf(services.database, project.id)
  const request = c.req.raw
  const address = ownAddress(options, request)
  const now = options.now()
  const [row] = await transaction((tables) =>
    tables.delete(oidcStates).where(isState(kind, query.ticket)).returning(),
  )
  const { host, clientId } = (row?.payload ?? {}) as { host?: string; clientId?: string }
  const accountId = row?.accountId
  if (!row || !accountId || row.expiresAt <= now || host !== address.host) {
    const text = 'It is valid once, for a minute. Open it again from the inbox of the console.'
    return new Response(messagePage('This link is not valid', text), {
      status: 400,
      headers: pageHeaders,
    })
  }
  const { provider } = await identity.server(project, address.origin)
  const client = (await provider.Client.find(String(clientId)))!
  const grant = new provider.Grant({ clientId: client.clientId, accountId })
  const scope = 'openid profile email'
  grant.addOIDCScope(scope)
  const grantId = await grant.save()
  const parts = { client, accountId, grantId, scope, gty: 'authorization_code' }
  const access = await new provider.AccessToken(parts).save()
  const refresh = await new provider.RefreshToken(parts).save()
  const session = createSecret()
  const cookies = projectCookies(options, project, request)
  const user = await transaction(async (tables) => {
    const found = (await findUser(tables, accountId))!
    await replaceSession(tables, cookies.read('session'), grantId, now)
    await tables.insert(sessions).values({
      projectId: project.id,
      hash: hashSecret(session),
      sessionId: options.newId(),
      userId: accountId,
      clientId: client.clientId,
      organizationId: found.organizationId,
      grantId,
      createdAt: now,
      lastActivityAt: now,
      idleExpiresAt: after(now, lifetimes.idle),
      absoluteExpiresAt: after(now, lifetimes.absolute),
    })
    // The change of the user is what the audit log records.
    await tables.update(users).set({ lastLoggedInTime: now }).where(eq(users.itemId, accountId))
    return found
  })
  const application = client.redirectUris?.find(isLoopbackUrl)
  const text = `On ${address.host} only, whose cookies are separate. Applications that use the platform there are signed in, too.`
  const link = application && onOtherName(application).origin
  const page = messagePage(`You are signed in as ${displayNameOf(user)}`, text, undefined, link)
  return noStore(new Response(page, { headers: pageHeaders }), [
    cookies.set('session', session),
    cookies.set('access', access),
    cookies.set('refresh', refresh),
  ])
}
