import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { MakeResponse } from './answer.ts'
import { isObjectPath } from '../storage/signed-url.ts'

/** What the application's middleware passes on, and what a Node server adds to a request. */
export interface AppEnv {
  readonly Bindings: Partial<HttpBindings> & {
    readonly makeResponse?: MakeResponse
    /** The name or address that the server was told to listen on. */
    readonly listenHost?: string
  }
  readonly Variables: {
    requestId: string
    operation?: string
    /** Whether the response says the request's id. */
    hasRequestId?: boolean
  }
}

export const requestIdHeader = 'x-request-id'

/** The id of a request: what its `x-request-id` says, or a new one. */
export const requestIdOf = (c: Context<AppEnv>): string => c.get('requestId')

/** Paths of our own, which are no part of the interface. */
export const isControlPath = (path: string): boolean =>
  path === '/_platform' || (path.startsWith('/_platform/') && !isObjectPath(path))
