import { sql } from 'drizzle-orm'
import type { Account, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { InvalidRequest } from 'oidc-provider/lib/helpers/errors.js'
import { Provider as OidcProvider } from 'oidc-provider/lib/provider.js'
import { callFunction } from '../database/call-function.ts'
import type { Database } from '../database/database.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { Project } from '../database/project-directory.ts'
import { lifetimes, refreshLifetime } from './lifetimes.ts'
import { errorPage, loggedOutPage, logoutPage } from './pages.ts'
import type { ProjectSecrets } from './settings.ts'
import { endLogin } from './sessions.ts'
import { stateAdapter } from './state-adapter.ts'
import { defaultOrganizationId, organizationIdOf } from './organizations.ts'
import { displayNameOf, findUserOf } from './users.ts'

export interface ProviderOptions {
  readonly database: Database
  readonly project: Project
  readonly issuer: string
  readonly secrets: ProjectSecrets
  /** End of the names of cookies. */
  readonly suffix: string
  readonly now: () => Date
  readonly onError: (error: Error) => void
}

/** Creates the authorization server of a project. All its state is in the database. */
export function createProvider(parts: ProviderOptions): Provider {
  const { project, issuer, database, now } = parts
  const provider = new OidcProvider(issuer, configurationOf(parts))
  provider.on('server_error', (context: KoaContextWithOIDC, error: Error) => {
    parts.onError(error)
    if (!isUnavailable(error)) return
    // Clients may retry what they cannot after a 500.
    context.status = 503
    context.set('retry-after', '1')
  })
  provider.use(async (context, next) => {
    await next()
    const { oidc } = context as unknown as KoaContextWithOIDC
    const session = oidc?.session as { uid: string; destroyed?: boolean } | undefined
    if (oidc?.route === 'end_session_confirm' && session?.destroyed) {
      await database.scoped(project.id, (tables) => endLogin(tables, session.uid, now()))
    }
  })
  return provider
}

function configurationOf(parts: ProviderOptions): Configuration {
  const { database, project, issuer, secrets, suffix, now } = parts
  const path = new URL(issuer).pathname
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true } as const
  return {
    adapter: stateAdapter({ database, projectId: project.id, now }),
    jwks: secrets.jwks as NonNullable<Configuration['jwks']>,
    cookies: {
      keys: [secrets.cookieKey],
      names: {
        session: `sk_login_${suffix}`,
        interaction: `sk_interaction_${suffix}`,
        resume: `sk_resume_${suffix}`,
      },
      long: { ...cookie, path },
      short: cookie,
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      userinfo: '/userinfo',
      jwks: '/jwks',
      revocation: '/revoke',
      end_session: '/logout',
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      userinfo: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: logoutPage,
        postLogoutSuccessSource: loggedOutPage,
      },
    },
    scopes: ['openid', 'offline_access', 'profile', 'email'],
    claims: claimsByScope,
    clientAuthMethods: ['client_secret_post', 'none'],
    // Include the claims in the id token, so that clients need no second request.
    conformIdTokenClaims: false,
    clockTolerance: 0,
    // The outer application decides which origins may read responses.
    clientBasedCORS: () => true,
    pkce: { required: () => true },
    findAccount: (_context, id) => findAccount(database, project, id),
    interactions: { url: (_context, { uid }) => `${path}/login/${uid}` },
    // Grant consent implicitly, because all clients belong to the project.
    loadExistingGrant: async (context) => {
      const { client, session, requestParamScopes } = context.oidc
      if (!client || !session?.accountId) return undefined
      const grant = new context.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      })
      grant.addOIDCScope([...requestParamScopes].join(' '))
      await grant.save()
      return grant
    },
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    extraTokenClaims: async (context, token) =>
      token.kind === 'ClientCredentials'
        ? organizationOfToken(database, project, context)
        : undefined,
    renderError: errorPage,
    ttl: {
      AccessToken: lifetimes.access,
      AuthorizationCode: lifetimes.code,
      ClientCredentials: lifetimes.access,
      IdToken: lifetimes.access,
      Interaction: lifetimes.flow,
      Grant: lifetimes.absolute,
      Session: lifetimes.absolute,
      RefreshToken: (_context, token) => {
        const now = Math.floor(Date.now() / 1000)
        return refreshLifetime(now - (token.iiat ?? now))
      },
    },
  }
}

const claimsByScope: Record<string, string[]> = {
  openid: ['sub', 'org_id'],
  email: ['email', 'email_verified'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale', 'picture'],
}

async function findAccount(
  database: Database,
  project: Project,
  id: string,
): Promise<Account | undefined> {
  const user = await findUserOf(database.unscoped, project.id, id)
  if (!user?.active) return undefined
  const claims = {
    org_id: user.organizationId,
    email: user.email,
    email_verified: user.isVerified,
    name: displayNameOf(user),
    given_name: user.firstName,
    family_name: user.lastName,
    preferred_username: user.userName,
    locale: user.language,
    picture: user.profileImageUrl,
  }
  const known = Object.entries(claims).filter(([, value]) => value !== null)
  return { accountId: id, claims: () => ({ sub: id, ...Object.fromEntries(known) }) }
}

/** Returns the organization of a machine's token, from `org_id` (section 4.1). */
async function organizationOfToken(
  database: Database,
  project: Project,
  { oidc }: KoaContextWithOIDC,
): Promise<{ org_id: string }> {
  const given = oidc.body?.['org_id']
  if (typeof given !== 'string' || given === '') throw new InvalidRequest('org_id is missing')
  const id = organizationIdOf(project, given)
  const isDefault = id === defaultOrganizationId(project)
  const call = sql`may_use_organization(${project.id}, ${oidc.client!.clientId}, ${id}, ${isDefault})`
  const isAllowed = !id.includes('\0') && (await callFunction<boolean>(database.unscoped, call))
  if (!isAllowed) throw new InvalidRequest('org_id is not an organization of this client')
  return { org_id: id }
}
