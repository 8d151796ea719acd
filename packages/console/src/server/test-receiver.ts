import { isObject, isSameOrigin, parseJson } from '@servicekit/core'
import { readText } from '@servicekit/core/node'
import type { ConsoleCall } from './console-call.ts'
import { consolePath } from './console-path.ts'
import { problem } from './responses.ts'

/** Responds with what the test receiver received; a POST sets the status of its responses. */
export async function respondWithReceiver<B>(call: ConsoleCall<B>): Promise<Response> {
  const { options, platform, request, bindings, origin, receiver } = call
  if (!isSameOrigin(request, origin)) {
    return problem(403, 'Only pages of the console may send this request.')
  }
  if (!options.allowThisMachine || !platform.isControlOpen(request, bindings)) {
    return problem(403, 'This page is available only on the machine that runs the platform.')
  }
  if (request.method === 'POST') {
    const body = parseJson(await readText(request))
    const status = isObject(body) ? body['status'] : undefined
    if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) {
      return problem(400, 'The status must be an integer from 200 to 599.')
    }
    receiver.status = Number(status)
  }
  const { path, requests, status } = receiver
  return Response.json({ url: `${origin}${consolePath}${path}`, status, requests })
}
