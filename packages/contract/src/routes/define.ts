import type { Route } from '../route.ts'

/** Keeps the exact values of a route as its type. */
export const route = <const Id extends string, const R extends Route<Id>>(value: R): R => value
