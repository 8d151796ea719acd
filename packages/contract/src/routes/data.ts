import type { Route } from '../route.ts'

/** Returns one page of the project's data schemas. @see section 4.5 */
export const dataListSchemas = {
  id: 'data.listSchemas',
  method: 'GET',
  path: '/data/v4/schemas',
  query: ['ProjectKey', 'PageNo', 'PageSize'],
  effect: 'read',
} as const satisfies Route

/**
 * Runs a GraphQL operation on the data gateway. The effect is declared as that of a
 * mutation; a caller that sends a query may treat it as a read and retry it.
 * @see section 4.5
 */
export const dataExecute = {
  id: 'data.execute',
  method: 'POST',
  path: '/data/v4/gateway',
  body: 'json',
  effect: 'create',
} as const satisfies Route
