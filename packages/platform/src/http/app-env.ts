import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { objectsPath } from '@servicekit/core/node'

/** Hono environment: variables set by middleware, and bindings set by a Node server. */
export interface AppEnv {
  readonly Bindings: Partial<HttpBindings> & {
    /** Host name or address that the server listens on. */
    readonly listenHost?: string
  }
  readonly Variables: {
    requestId: string
    operation?: string
  }
}

export const requestIdHeader = 'x-request-id'

/** Returns the id of a request: a valid `x-request-id` header, otherwise a generated id. */
export const requestIdOf = (c: Context<AppEnv>): string => c.get('requestId')

/** Returns whether a path is below that of signed URLs. These paths are open even where control routes are not. */
export const isObjectPath = (path: string): boolean => path.startsWith(`${objectsPath}/`)

/** Returns true for the platform's own paths, which are not part of the interface. */
export const isControlPath = (path: string): boolean =>
  path === '/_platform' || (path.startsWith('/_platform/') && !isObjectPath(path))
