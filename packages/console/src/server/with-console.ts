import { handleApi } from './api.ts'
import { consolePath } from './console-path.ts'
import { notFound, redirect, secured } from './responses.ts'
import { endSignIn } from './sign-in.ts'
import { createStaticFiles } from './static-files.ts'

/** Parts of a platform that the console uses. */
export interface ConsolePlatform<Bindings> {
  readonly fetch: (request: Request, bindings?: Bindings) => Promise<Response>
  readonly accessOf: (
    request: Request,
    projectKey: string,
  ) => Promise<{
    readonly level: 'anonymous' | 'user' | 'administrator'
    readonly userId?: string | undefined
  }>
}

/** Options of the console. */
export interface ConsoleOptions {
  /**
   * Lets everyone on this machine use the console without signing in; false by default. The
   * platform decides who that is, by the rules of its control routes.
   */
  readonly allowThisMachine?: boolean | undefined
  /** Token of the control routes, which the console uses for signed-in administrators. */
  readonly controlToken?: string | undefined
  /** Public URL of the platform; the origin of each request by default. */
  readonly publicUrl?: string | undefined
}

/** Request for the console, with the parts that handle it. */
export interface ConsoleCall<Bindings = unknown> {
  readonly platform: ConsolePlatform<Bindings>
  readonly options: ConsoleOptions
  readonly request: Request
  readonly bindings: Bindings | undefined
  readonly url: URL
  /** Origin of the console in the browser. */
  readonly origin: string
}

/**
 * Returns a handler that serves the console below `/console/`, and passes all other requests to
 * the platform.
 */
export function withConsole<Bindings>(
  platform: ConsolePlatform<Bindings>,
  options: ConsoleOptions = {},
): ConsolePlatform<Bindings>['fetch'] {
  const files = createStaticFiles(options.allowThisMachine === true)
  return async (request, bindings) => {
    const url = new URL(request.url)
    if (url.pathname === consolePath) return redirect(`${consolePath}/`)
    if (!url.pathname.startsWith(`${consolePath}/`)) return platform.fetch(request, bindings)
    const origin = options.publicUrl === undefined ? url.origin : new URL(options.publicUrl).origin
    const call: ConsoleCall<Bindings> = { platform, options, request, bindings, url, origin }
    const path = url.pathname.slice(consolePath.length)
    if (path.startsWith('/api/')) return secured(await handleApi(call, path.slice(4)))
    if (request.method !== 'GET' && request.method !== 'HEAD') return notFound()
    if (path === '/signed-in') return secured(await endSignIn(call))
    return files.respond(request, path)
  }
}
