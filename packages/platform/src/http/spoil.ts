import type { MiddlewareHandler } from 'hono'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Faults } from '../control/faults.ts'
import { type AppEnv, isControlPath, requestIdOf } from './app-env.ts'
import { problem } from './refusals.ts'
import { toResponse } from './answer.ts'

/** Raised for a request whose connection is to be cut; where there is one, it is. */
export class Dropped extends Error {
  override readonly name = 'Dropped'
}

/** Spoils answers as the fault rules say. The control routes are never spoilt. */
export const spoil =
  (faults: Faults): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const fault = isControlPath(c.req.path)
      ? undefined
      : faults.take(c.req.method, new URL(c.req.url))
    if (!fault) return next()
    if (fault.delayMs !== undefined) await sleep(fault.delayMs)
    if (fault.drop) {
      c.env?.outgoing?.destroy()
      throw new Dropped('The connection was dropped by a fault rule.')
    }
    if (fault.status === undefined) await next()
    else {
      const answer = problem(fault.status, 'A fault rule answers.', requestIdOf(c))
      c.res = toResponse(c.req.raw, answer)
    }
    c.res = await spoilt(c.res, fault)
  }

async function spoilt(response: Response, fault: Fault): Promise<Response> {
  const headers = new Headers(response.headers)
  if (fault.retryAfter !== undefined) headers.set('retry-after', String(fault.retryAfter))
  const isWhole = fault.truncateAfter === undefined && !fault.emptyBody
  const hasBody = response.body !== null
  if (isWhole || !hasBody) {
    return new Response(response.body, { status: response.status, headers })
  }
  headers.delete('content-length')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const kept = fault.emptyBody ? bytes.subarray(0, 0) : bytes.subarray(0, fault.truncateAfter)
  return new Response(kept, { status: response.status, headers })
}
