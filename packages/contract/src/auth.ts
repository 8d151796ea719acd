import { z } from 'zod'
import { Rejection, SessionError } from './errors.ts'
import { WriteRefused, WriteResult } from './user-records.ts'
import { access, defineOperation } from './operation.ts'
import * as routes from './routes.ts'

/**
 * Started sign-in. One of three members holds the address to continue at.
 *
 * ```json
 * {"redirect_uri": "https://login.example.com/authorize?…"}
 * ```
 */
export const Initiated = z
  .looseObject({
    redirect_uri: z.string().optional(),
    authorizationUrl: z.string().optional(),
    url: z.string().optional(),
  })
  .meta({ id: 'Initiated' })
export type Initiated = z.infer<typeof Initiated>

/** Body of the callback's response, in addition to the cookies; not shown in the interface. */
export const SignedIn = z
  .looseObject({
    id_token: z.string().optional(),
    token_type: z.string().optional(),
    expires_in: z.number().describe('Seconds, possibly with a fraction').optional(),
    scope: z.string().optional(),
  })
  .meta({ id: 'SignedIn' })
export type SignedIn = z.infer<typeof SignedIn>

const instant = z.string().describe('ISO 8601').nullish()

/** Browser session; its body is not shown in the interface. */
export const Session = z
  .looseObject({
    sessionId: z.string().optional(),
    accounts: z
      .array(
        z.looseObject({
          userId: z.string(),
          displayName: z.string().nullish(),
          loginAt: instant,
        }),
      )
      .optional(),
    createdAt: instant,
    lastActivityAt: instant,
    idleExpiresAt: instant,
    absoluteExpiresAt: instant,
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

/** Form with which a machine requests a token. */
export const ClientCredentialsGrant = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    org_id: z.string().min(1).describe('`default` is the default organization'),
  })
  .meta({ id: 'ClientCredentialsGrant' })
export type ClientCredentialsGrant = z.infer<typeof ClientCredentialsGrant>

/** Form with which a browser renews its session; the refresh token itself is a cookie. */
export const RefreshGrant = z
  .object({ grant_type: z.literal('refresh_token'), client_id: z.string().min(1) })
  .meta({ id: 'RefreshGrant' })
export type RefreshGrant = z.infer<typeof RefreshGrant>

export const TokenRequest = z
  .discriminatedUnion('grant_type', [ClientCredentialsGrant, RefreshGrant])
  .meta({ id: 'TokenRequest' })
export type TokenRequest = z.infer<typeof TokenRequest>

/**
 * Token of a machine, or the description of a renewed session. Instances respond in
 * camelCase to machines and in snake_case to browsers: read both.
 *
 * ```json
 * {"accessToken": "…", "tokenType": "Bearer", "expiresIn": 420, "expiresUtc": "…"}
 * {"token_type": "Bearer", "expires_in": 420, "scope": "…", "id_token": "…", "cookie_set": true}
 * ```
 */
export const Token = z
  .looseObject({
    accessToken: z.string().optional(),
    tokenType: z.string().optional(),
    expiresIn: z.number().optional(),
    expiresUtc: z.string().optional(),
    access_token: z.string().optional(),
    token_type: z.string().optional(),
    expires_in: z.number().optional(),
    scope: z.string().optional(),
    id_token: z.string().optional(),
    cookie_set: z.boolean().optional(),
  })
  .meta({ id: 'Token' })
export type Token = z.infer<typeof Token>

/** Activation of an invited account. */
export const ActivateAccount = z
  .object({
    code: z.string().min(1).describe('One-time code of the invitation link'),
    password: z.string().min(1),
    firstName: z.string().nullish(),
    lastName: z.string().nullish(),
  })
  .meta({ id: 'ActivateAccount' })
export type ActivateAccount = z.infer<typeof ActivateAccount>

/** Response to an activation; the account is active and verified from then on (section 3). */
export const AccountActivated = WriteResult.extend({
  active: z.boolean().optional(),
  isVarified: z.boolean().optional(),
}).meta({ id: 'AccountActivated' })
export type AccountActivated = z.infer<typeof AccountActivated>

const project = {
  404: { description: 'Project unknown', schema: Rejection },
} as const

export const initiate = defineOperation(routes.authInitiate, {
  section: '4.1',
  summary: 'Start a sign-in',
  access: access.key,
  description: 'The state of the flow lives 600 s.',
  query: z.object({
    'x-service-key': z.string().min(1).describe('The project key, as in the header'),
    clientId: z.string().min(1).describe('Registered OIDC client'),
    redirectUri: z.string().min(1).describe('Callback URL, exactly as registered'),
  }),
  responses: {
    200: { description: 'URL to redirect the browser to', schema: Initiated },
    400: {
      description: 'invalid_client, invalid_request or invalid_redirect_uri',
      schema: SessionError,
    },
    ...project,
  },
})

export const callback = defineOperation(routes.authCallback, {
  section: '4.1',
  summary: 'Complete a sign-in',
  access: access.key,
  description: 'Sets the cookies of the session.',
  query: z.object({
    code: z.string().min(1),
    state: z.string().min(1).describe('As received at the redirect URL'),
  }),
  responses: {
    200: { description: 'Signed in', schema: SignedIn },
    400: { description: 'invalid_state or invalid_grant', schema: SessionError },
    ...project,
  },
})

export const getSession = defineOperation(routes.authGetSession, {
  section: '4.1',
  summary: 'Session of the browser',
  access: access.ownSession,
  responses: {
    200: { description: 'The session is valid', schema: Session },
    400: { description: 'Project key missing', schema: Rejection },
    401: {
      description: 'session_not_found or session_expired; or invalid_token in the header',
      schema: SessionError,
    },
    404: {
      description: 'The session was revoked; or the project is unknown',
      schema: SessionError,
    },
  },
})

export const issueToken = defineOperation(routes.authIssueToken, {
  section: '4.1',
  summary: 'Token for a machine, or a renewed session',
  access: access.key,
  description: 'Sent with `Cache-Control: no-store`.',
  body: TokenRequest,
  responses: {
    200: { description: 'The token; a renewed session is in cookies', schema: Token },
    400: { description: 'invalid_grant, invalid_request', schema: SessionError },
    401: { description: 'invalid_client; or invalid_token in the header', schema: SessionError },
    423: {
      description: 'The account is locked; only deployed instances return this',
      schema: SessionError,
      isDeployedOnly: true,
    },
    429: { description: 'Too many wrong client secrets', schema: Rejection },
    ...project,
  },
})

export const activate = defineOperation(routes.authActivate, {
  section: '4.1',
  summary: 'Enable an invited account and set its password',
  access: access.key,
  body: ActivateAccount,
  responses: {
    200: { description: 'The account is enabled', schema: AccountActivated },
    400: {
      description: 'The code is wrong, used or too old; or the project key is missing',
      schema: WriteRefused,
    },
    429: { description: 'Too many wrong codes', schema: Rejection },
    ...project,
  },
})

export const logout = defineOperation(routes.authLogout, {
  section: '4.1',
  summary: 'End the session on the server',
  access: access.ownSession,
  body: z.object({}).meta({ id: 'Logout' }),
  responses: {
    200: { description: 'The session is revoked', schema: WriteResult },
    400: { description: 'invalid_request: there is no session', schema: SessionError },
    ...project,
  },
})
