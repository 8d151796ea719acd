import type { Route } from '../route.ts'

/** Returns one page of the users; the first page is 1. @see section 4.3 */
export const idpListUsers = {
  id: 'idp.listUsers',
  method: 'POST',
  path: '/idp/v1/Iam/GetUsers',
  body: 'json',
  effect: 'read',
} as const satisfies Route

/** Returns one page of the accounts, without sign-in data; the first page is 1. @see section 4.3 */
export const idpListAccounts = {
  id: 'idp.listAccounts',
  method: 'POST',
  path: '/idp/v1/Iam/GetAccounts',
  body: 'json',
  effect: 'read',
} as const satisfies Route

/** Creates a user. @see section 4.3 */
export const idpCreateUser = {
  id: 'idp.createUser',
  method: 'POST',
  path: '/idp/v1/Iam/Create',
  body: 'json',
  effect: 'create',
} as const satisfies Route

/** Changes a user. @see section 4.3 */
export const idpUpdateUser = {
  id: 'idp.updateUser',
  method: 'POST',
  path: '/idp/v1/Iam/Update',
  body: 'json',
  effect: 'replace',
} as const satisfies Route

/** Returns one user. @see section 4.3 */
export const idpGetUser = {
  id: 'idp.getUser',
  method: 'GET',
  path: '/idp/v1/Iam/GetUser',
  query: ['Id', 'ProjectKey'],
  effect: 'read',
} as const satisfies Route

/**
 * Returns the account of the caller. The interface shows only the project header; the
 * caller can only be identified by a session or a token.
 * @see section 4.3
 */
export const idpGetAccount = {
  id: 'idp.getAccount',
  method: 'GET',
  path: '/idp/v1/Iam/GetAccount',
  effect: 'read',
} as const satisfies Route

/** Activates an account and sets its password; the code is valid once. @see section 4.3 */
export const idpActivate = {
  id: 'idp.activate',
  method: 'POST',
  path: '/idp/v1/Iam/Activate',
  body: 'json',
  effect: 'create',
  access: 'key',
} as const satisfies Route
