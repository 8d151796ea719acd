import { route } from './define.ts'

/**
 * Starts a sign-in and returns the address to redirect the browser to. The project key is
 * also sent in the query. Each call starts its own flow, which expires if unused.
 * @see section 4.1
 */
export const authInitiate = /* @__PURE__ */ route({
  id: 'auth.initiate',
  method: 'GET',
  path: '/iam/v4/idp/initiate',
  query: ['x-service-key', 'clientId', 'redirectUri'],
  effect: 'read',
  section: '4.1',
})

/**
 * Completes a sign-in: exchanges the code for session cookies. It is a GET but not a read:
 * the code is valid once.
 * @see section 4.1
 */
export const authCallback = /* @__PURE__ */ route({
  id: 'auth.callback',
  method: 'GET',
  path: '/iam/v4/idp/callback',
  query: ['code', 'state'],
  effect: 'create',
  section: '4.1',
})

/** Returns the browser's session while it is valid. @see section 4.1 */
export const authGetSession = /* @__PURE__ */ route({
  id: 'auth.getSession',
  method: 'GET',
  path: '/iam/v4/oidc/session',
  effect: 'read',
  section: '4.1',
})

/**
 * Issues a token to a machine (`client_credentials`) or renews a session (`refresh_token`).
 * A second request renews again; for a short time a replayed refresh gets the first
 * response.
 * @see section 4.1
 */
export const authIssueToken = /* @__PURE__ */ route({
  id: 'auth.issueToken',
  method: 'POST',
  path: '/iam/v4/oidc/token',
  body: 'form',
  effect: 'replace',
  section: '4.1',
})

/** Activates an invited account and sets its password; the code is valid once. @see section 4.1 */
export const authActivate = /* @__PURE__ */ route({
  id: 'auth.activate',
  method: 'POST',
  path: '/iam/v4/auth/activate',
  body: 'json',
  effect: 'create',
  section: '4.1',
})

/** Ends the session on the server. @see section 4.1 */
export const authLogout = /* @__PURE__ */ route({
  id: 'auth.logout',
  method: 'POST',
  path: '/iam/v4/auth/Logout',
  body: 'json',
  effect: 'replace',
  section: '4.1',
})
