import type { Route } from '../route.ts'

/**
 * Starts a sign-in and returns the address to redirect the browser to. The project key is
 * also sent in the query. Each call starts its own flow, which expires if unused.
 * @see section 4.1
 */
export const authInitiate = {
  id: 'auth.initiate',
  method: 'GET',
  path: '/iam/v4/idp/initiate',
  query: ['x-service-key', 'clientId', 'redirectUri'],
  effect: 'read',
  access: 'sign-in',
} as const satisfies Route

/**
 * Completes a sign-in: exchanges the code for session cookies. It is a GET but not a read:
 * the code is valid once.
 * @see section 4.1
 */
export const authCallback = {
  id: 'auth.callback',
  method: 'GET',
  path: '/iam/v4/idp/callback',
  query: ['code', 'state'],
  effect: 'create',
  access: 'sign-in',
} as const satisfies Route

/** Returns the browser's session while it is valid. @see section 4.1 */
export const authGetSession = {
  id: 'auth.getSession',
  method: 'GET',
  path: '/iam/v4/oidc/session',
  effect: 'read',
} as const satisfies Route

/**
 * Issues a token to a machine (`client_credentials`) or renews a session (`refresh_token`).
 * A second request renews again; for a short time a replayed refresh gets the first
 * response.
 * @see section 4.1
 */
export const authIssueToken = {
  id: 'auth.issueToken',
  method: 'POST',
  path: '/iam/v4/oidc/token',
  body: 'form',
  effect: 'replace',
  access: 'sign-in',
} as const satisfies Route

/** Activates an invited account and sets its password; the code is valid once. @see section 4.1 */
export const authActivate = {
  id: 'auth.activate',
  method: 'POST',
  path: '/iam/v4/auth/activate',
  body: 'json',
  effect: 'create',
  access: 'sign-in',
} as const satisfies Route

/** Ends the session on the server. @see section 4.1 */
export const authLogout = {
  id: 'auth.logout',
  method: 'POST',
  path: '/iam/v4/auth/Logout',
  body: 'json',
  effect: 'replace',
  access: 'sign-in',
} as const satisfies Route
