import type { Route } from '../route.ts'

/** Preserves the literal type of a route. */
export const route = <const Id extends string, const R extends Route<Id>>(value: R): R => value
