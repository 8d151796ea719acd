import type { Context, MiddlewareHandler } from 'hono'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultRule, FaultRule as RuleShape, type Faults } from '../control/faults.ts'
import { isFromThisMachine } from '../control/guard.ts'
import type { ResolvedOptions } from '../options.ts'
import { toResponse } from './answer.ts'
import { type AppEnv, isControlPath, requestIdOf } from './app-env.ts'
import { problem } from './refusals.ts'

/** Thrown for a request whose connection is dropped by a fault rule. */
export class Dropped extends Error {
  override readonly name = 'Dropped'
}

/** Request header with a fault rule as JSON, applied to that request only. */
const faultHeader = 'x-platform-fault'

/** Number of chunks per second in which a slow body is sent. */
const piecesPerSecond = 10

type GuardOptions = Pick<ResolvedOptions, 'controlToken' | 'publicUrl'>

/**
 * Injects faults according to the fault rules, or the header of a request. Never affects
 * the control routes.
 *
 * The header is only honored if requests from this machine need no control token.
 */
export const spoil =
  (faults: Faults, options: GuardOptions): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const fault = isControlPath(c.req.path)
      ? undefined
      : (ofHeader(c, options) ??
        (faults.isEmpty() ? undefined : faults.take(c.req.method, new URL(c.req.url))))
    if (!fault) return next()
    if (fault.delayMs !== undefined) await sleep(fault.delayMs)
    if (fault.drop === true || fault.drop === 'before') drop(c)
    const status = fault.status ?? (fault.budget ? 429 : undefined)
    if (status === undefined) await next()
    else c.res = toResponse(c.req.raw, problem(status, 'A fault rule answers.', requestIdOf(c)))
    if (fault.drop === 'after') drop(c)
    c.res = await spoilt(c.res, fault)
  }

function ofHeader(c: Context<AppEnv>, options: GuardOptions): FaultRule | undefined {
  const text = c.req.header(faultHeader)
  if (text === undefined || options.controlToken !== undefined) return undefined
  if (!isFromThisMachine(c, options)) return undefined
  try {
    return RuleShape.parse(JSON.parse(text))
  } catch {
    return { status: 400 }
  }
}

function drop(c: Context<AppEnv>): never {
  c.env?.outgoing?.destroy()
  throw new Dropped('The connection was dropped by a fault rule.')
}

async function spoilt(response: Response, fault: FaultRule): Promise<Response> {
  const headers = new Headers(response.headers)
  if (fault.retryAfter !== undefined) headers.set('retry-after', String(fault.retryAfter))
  const { truncateAfter, emptyBody, bytesPerSecond } = fault
  const isWhole = truncateAfter === undefined && !emptyBody && bytesPerSecond === undefined
  const hasBody = response.body !== null
  if (isWhole || !hasBody) {
    return new Response(response.body, { status: response.status, headers })
  }
  headers.delete('content-length')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const kept = emptyBody ? bytes.subarray(0, 0) : bytes.subarray(0, truncateAfter)
  const body = bytesPerSecond === undefined ? kept : slowly(kept, bytesPerSecond)
  return new Response(body, { status: response.status, headers })
}

/** Streams the bytes in chunks. */
function slowly(bytes: Uint8Array, bytesPerSecond: number): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.round(bytesPerSecond / piecesPerSecond))
  let start = 0
  return new ReadableStream({
    pull: async (controller) => {
      if (start >= bytes.length) return controller.close()
      if (start > 0) await sleep((size / bytesPerSecond) * 1000)
      controller.enqueue(bytes.subarray(start, start + size))
      start += size
    },
  })
}
