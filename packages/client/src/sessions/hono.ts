/** Sessions of requests in Hono. */
import type { MiddlewareHandler } from 'hono'
import type { Core } from '../core.ts'
import type { User } from '../user.ts'
import {
  type GuardOptions,
  type RequestSession,
  sessionOpener,
  signInAddress,
} from './request-session.ts'

export type { GuardOptions, RequestSession } from './request-session.ts'

/** Variables that the middleware sets. */
export interface SessionVariables {
  readonly user: User
  readonly session: RequestSession
}

/**
 * Creates a middleware that requires a signed-in user. Handlers read `c.get('user')` and
 * call the service with `c.get('session').core`.
 */
export function requireSession(
  core: Core,
  options: GuardOptions,
): MiddlewareHandler<{ Variables: SessionVariables }> {
  const open = sessionOpener(core, options)
  return async (c, next) => {
    // A guard before this one has opened the session.
    const outer = c.get('session') as RequestSession | undefined
    const session = outer ?? open(c.req.header('cookie'))
    const user = await session.getUser()
    const { pathname, search } = new URL(c.req.url)
    if (user) {
      c.set('session', session)
      c.set('user', user)
      await next()
    } else {
      const address = signInAddress(options, {
        method: c.req.method,
        path: pathname + search,
        accept: c.req.header('accept'),
        destination: c.req.header('sec-fetch-dest'),
      })
      c.res = address === undefined ? c.json({ error: 'unauthorized' }, 401) : c.redirect(address)
    }
    if (outer) return
    for (const cookie of session.setCookie()) c.header('set-cookie', cookie, { append: true })
  }
}
