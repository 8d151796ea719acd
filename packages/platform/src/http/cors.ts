import type { MiddlewareHandler } from 'hono'
import type { ResolvedOptions } from '../options.ts'
import { toResponse } from './answer.ts'
import { type AppEnv, isControlPath } from './app-env.ts'
import { rejection } from './refusals.ts'

const exposed = 'etag, x-request-id, retry-after'

/**
 * Lets browser applications of registered origins in, with their cookies, and
 * turns others away with 406. A request without an Origin passes: it comes from
 * a build, a server or the platform's own pages.
 *
 * The control routes change projects without asking who it is, so there only
 * pages of this machine are let in, whatever origins are registered.
 */
export function cors({
  origins,
  publicUrl,
}: Pick<ResolvedOptions, 'origins' | 'publicUrl'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin')
    if (origin === undefined) return next()
    const isRegistered = isControlPath(c.req.path)
      ? isOwn(origin, new URL(c.req.url).host)
      : origins === '*' ||
        origins.has(origin) ||
        // The platform's own pages send forms.
        origin === (publicUrl ?? new URL(c.req.url).origin)
    if (!isRegistered) {
      return toResponse(c.req.raw, rejection(406, `The origin ${origin} is not registered.`))
    }
    if (c.req.method === 'OPTIONS' && c.req.header('access-control-request-method')) {
      return new Response(null, {
        status: 204,
        headers: {
          ...allow(origin),
          'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
          'access-control-allow-headers': c.req.header('access-control-request-headers') ?? '*',
          'access-control-max-age': '600',
        },
      })
    }
    await next()
    for (const [name, value] of Object.entries(allow(origin))) c.res.headers.set(name, value)
    c.res.headers.append('vary', 'origin')
  }
}

const allow = (origin: string): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': exposed,
})

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

function isOwn(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.host === host || loopback.has(url.hostname)
}
