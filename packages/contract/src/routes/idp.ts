import { route } from './define.ts'

/** Returns one page of the users; the first page is 1. @see section 4.3 */
export const idpListUsers = /* @__PURE__ */ route({
  id: 'idp.listUsers',
  method: 'POST',
  path: '/idp/v1/Iam/GetUsers',
  body: 'json',
  effect: 'read',
  section: '4.3',
})

/** Returns one page of the accounts, without sign-in data; the first page is 1. @see section 4.3 */
export const idpListAccounts = /* @__PURE__ */ route({
  id: 'idp.listAccounts',
  method: 'POST',
  path: '/idp/v1/Iam/GetAccounts',
  body: 'json',
  effect: 'read',
  section: '4.3',
})

/** Creates a user. @see section 4.3 */
export const idpCreateUser = /* @__PURE__ */ route({
  id: 'idp.createUser',
  method: 'POST',
  path: '/idp/v1/Iam/Create',
  body: 'json',
  effect: 'create',
  section: '4.3',
})

/** Changes a user. @see section 4.3 */
export const idpUpdateUser = /* @__PURE__ */ route({
  id: 'idp.updateUser',
  method: 'POST',
  path: '/idp/v1/Iam/Update',
  body: 'json',
  effect: 'replace',
  section: '4.3',
})

/** Returns one user. @see section 4.3 */
export const idpGetUser = /* @__PURE__ */ route({
  id: 'idp.getUser',
  method: 'GET',
  path: '/idp/v1/Iam/GetUser',
  query: ['Id', 'ProjectKey'],
  effect: 'read',
  section: '4.3',
})

/**
 * Returns the account of the caller. The interface shows only the project header; the
 * caller can only be identified by a session or a token.
 * @see section 4.3
 */
export const idpGetAccount = /* @__PURE__ */ route({
  id: 'idp.getAccount',
  method: 'GET',
  path: '/idp/v1/Iam/GetAccount',
  effect: 'read',
  section: '4.3',
})

/** Activates an account and sets its password; the code is valid once. @see section 4.3 */
export const idpActivate = /* @__PURE__ */ route({
  id: 'idp.activate',
  method: 'POST',
  path: '/idp/v1/Iam/Activate',
  body: 'json',
  effect: 'create',
  section: '4.3',
})
