/** Sessions of requests in Express, and in servers of `node:http`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Core } from '../core.ts'
import type { User } from '../user.ts'
import {
  type GuardOptions,
  type RequestSession,
  sessionOpener,
  signInAddress,
} from './request-session.ts'

export type { GuardOptions, RequestSession } from './request-session.ts'

/** Values in `response.locals` of Express. */
export interface SessionLocals {
  readonly user: User
  readonly session: RequestSession
}

type Locals = Partial<{ -readonly [Name in keyof SessionLocals]: SessionLocals[Name] }>

/**
 * Creates a middleware that requires a signed-in user. Handlers read `response.locals.user`
 * and call the service with `response.locals.session.core`.
 */
export function requireSession(
  core: Core,
  options: GuardOptions,
): (
  request: IncomingMessage,
  response: ServerResponse & { locals?: object },
  next: (error?: unknown) => void,
) => Promise<void> {
  const open = sessionOpener(core, options)
  return async (request, response, next) => {
    const locals = (response.locals ??= {}) as Locals
    try {
      locals.session ??= openFor(open, request, response)
      const user = await locals.session.getUser()
      if (user) {
        locals.user = user
        next()
        return
      }
      const { method = 'GET', headers } = request
      const address = signInAddress(options, {
        method,
        path: (request as { originalUrl?: string }).originalUrl ?? request.url ?? '/',
        accept: headers.accept,
        destination: headers['sec-fetch-dest'] as string | undefined,
      })
      if (address !== undefined) response.writeHead(302, { location: address }).end()
      else {
        response.writeHead(401, { 'content-type': 'application/json' })
        response.end('{"error":"unauthorized"}')
      }
    } catch (error) {
      next(error)
    }
  }
}

/** Opens the session; each cookie is added to the response as soon as it arrives. */
function openFor(
  open: ReturnType<typeof sessionOpener>,
  request: IncomingMessage,
  response: ServerResponse,
): RequestSession {
  let added: readonly string[] = []
  const session = open(request.headers.cookie, () => {
    if (response.headersSent) return
    const others = [response.getHeader('set-cookie') ?? []]
      .flat()
      .map(String)
      .filter((cookie) => !added.includes(cookie))
    added = session.setCookie()
    response.setHeader('set-cookie', [...others, ...added])
  })
  return session
}
