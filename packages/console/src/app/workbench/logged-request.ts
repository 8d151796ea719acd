import type { process } from '@servicekit/contract/control'

/** Request in the log of the platform. */
export type LoggedRequest = process.LoggedRequest

/** Returns true for a request of the console, by the id that it gives. */
export const isOfConsole = ({ requestId }: LoggedRequest): boolean =>
  requestId.startsWith('console-')

/** Returns the path of the interface, also for an operation called through a control route. */
export const interfacePath = ({ path }: Pick<LoggedRequest, 'path'>): string =>
  path.replace(/^\/_platform\/projects\/[^/]+\/interface(?=\/)/, '')

/** Returns the path without its query, for a fault rule. */
export const pathnameOf = (request: Pick<LoggedRequest, 'path'>): string =>
  interfacePath(request).split('?')[0] ?? ''

const groups = /^(?:iam|idp|storage|localization|translation|webhooks|tools|knowledge|data)\.\w+$/

/** Returns TypeScript that calls the operation with the typed client, undefined if it has none. */
export function typedCall({ operation, method }: LoggedRequest): string | undefined {
  // Old addresses of translations are the same functions.
  const name = operation.replace(/^uilm\./, 'localization.')
  if (!groups.test(name)) return undefined
  const hint = method === 'GET' ? '' : '/* The log has no bodies. */'
  return `const result = await client.${name}(${hint})`
}
