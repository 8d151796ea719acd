import { route } from './define.ts'

/**
 * Starts a sign-in: the address that the browser has to be led to. The project key goes into the
 * query as well. Each call begins a flow of its own, which ends unused after a while.
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
 * Ends a sign-in: exchanges the code for the cookies of a session. A GET, and no read: the code
 * serves once.
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

/** Session of the browser, while it is valid. @see section 4.1 */
export const authGetSession = /* @__PURE__ */ route({
  id: 'auth.getSession',
  method: 'GET',
  path: '/iam/v4/oidc/session',
  effect: 'read',
  section: '4.1',
})

/**
 * Token for a machine (`client_credentials`), or a renewed session (`refresh_token`). Asked twice,
 * it renews twice, and for a moment a replayed refresh is answered like the first.
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

/** Enables an invited account and sets its password; the code serves once. @see section 4.1 */
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
