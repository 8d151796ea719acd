import type { ConsoleCall, ConsoleOptions, ConsolePlatform } from './console-call.ts'
import { consolePath } from './console-path.ts'
import { createReceiver } from './receiver.ts'
import { notFound, redirect, secured } from './responses.ts'
import { endSignIn } from './signed-in.ts'
import { createStaticFiles } from './static-files.ts'
import { respondWithReceiver } from './test-receiver.ts'

/**
 * Returns a handler that serves the console below `/console/`, and passes all other requests to
 * the platform.
 */
export function withConsole<Bindings>(
  platform: ConsolePlatform<Bindings>,
  options: ConsoleOptions = {},
): ConsolePlatform<Bindings>['fetch'] {
  const receiver = createReceiver()
  const files = createStaticFiles(platform.storageOrigins, options.allowThisMachine === true)
  const handle = async (call: ConsoleCall<Bindings>): Promise<Response> => {
    const { request, url } = call
    if (url.pathname === consolePath) return redirect(`${consolePath}/`)
    const path = url.pathname.slice(consolePath.length)
    if (path === '/test-receiver') return secured(await respondWithReceiver(call))
    if (options.allowThisMachine && request.method === 'POST' && receiver.matches(path)) {
      return receiver.receive(request)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return notFound()
    if (path === '/signed-in') return secured(await endSignIn(call))
    return files.respond(request, path)
  }
  return (request, bindings) => {
    const url = new URL(request.url)
    if (url.pathname !== consolePath && !url.pathname.startsWith(`${consolePath}/`)) {
      return platform.fetch(request, bindings)
    }
    const origin = options.publicUrl === undefined ? url.origin : new URL(options.publicUrl).origin
    const call = { platform, options, request, bindings, url, origin, receiver }
    return platform.handle(request, bindings, () => handle(call))
  }
}
