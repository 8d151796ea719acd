import { parseJson, tabHeader } from '@servicekit/core'
import type { Context, MiddlewareHandler } from 'hono'
import { setTimeout as sleep } from 'node:timers/promises'
import { process as control } from '@servicekit/contract/control'
import type { Faults } from '../control/fault-rules.ts'
import { isFromThisMachine } from '../http/address.ts'
import { canonicalPath } from '../http/canonical-path.ts'
import type { ResolvedOptions } from '../options.ts'
import { type AppEnv, isControlPath, requestIdOf } from '../http/app-env.ts'
import { problemDetails } from '../http/responses.ts'

/** Thrown for a request whose connection a fault injection rule drops. */
export class DroppedConnection extends Error {
  override readonly name = 'DroppedConnection'
}

/** Request header with a fault injection rule as JSON, applied to that request only. */
const faultHeader = 'x-platform-fault'

/** Number of chunks per second in which a slow body is sent. */
const chunksPerSecond = 10

type GuardOptions = Pick<ResolvedOptions, 'controlToken' | 'publicUrl'>

/**
 * Injects faults by the rules, or by the header of a request, but not in the control routes. The
 * header is ignored if they require a token or another machine sent the request.
 */
export const injectFaults =
  (faults: Faults, options: GuardOptions): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const url = interfaceUrl(c.req.url)
    if (isControlPath(url.pathname)) return next()
    const rule = ruleOfHeader(c, options) ?? faults.take(c.req.method, url, c.req.header(tabHeader))
    if (!rule) return next()
    if (rule.delayMs !== undefined) await sleep(rule.delayMs)
    if (rule.drop === true || rule.drop === 'before') dropConnection(c)
    if (rule.status === undefined) await next()
    else c.res = problemDetails(rule.status, 'Injected fault.', requestIdOf(c))
    if (rule.drop === 'after') dropConnection(c)
    const changed = await changeResponse(c.res, rule)
    // Hono merges the headers of the previous response, including its content-length.
    c.res = undefined
    c.res = changed
  }

/**
 * Returns the address of the interface as it writes it, also for an operation that a control
 * operation calls.
 */
function interfaceUrl(address: string): URL {
  const url = new URL(address)
  const path = url.pathname.replace(/^\/_platform\/projects\/[^/]+\/interface(?=\/)/, '')
  url.pathname = canonicalPath(path)
  return url
}

function ruleOfHeader(c: Context<AppEnv>, options: GuardOptions): control.FaultRule | undefined {
  const text = c.req.header(faultHeader)
  if (text === undefined || options.controlToken !== undefined) return undefined
  if (!isFromThisMachine(c, options)) return undefined
  return control.FaultRule.safeParse(parseJson(text)).data ?? { status: 400 }
}

function dropConnection(c: Context<AppEnv>): never {
  c.env?.outgoing?.destroy()
  throw new DroppedConnection('A fault injection rule dropped the connection.')
}

async function changeResponse(response: Response, rule: control.FaultRule): Promise<Response> {
  const { retryAfter, truncateAfter, bytesPerSecond } = rule
  const headers = new Headers(response.headers)
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  const isWhole = truncateAfter === undefined && bytesPerSecond === undefined
  if (isWhole || response.body === null) {
    return new Response(response.body, { status: response.status, headers })
  }
  headers.delete('content-length')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const kept = bytes.subarray(0, truncateAfter)
  const body = bytesPerSecond === undefined ? kept : slowStream(kept, bytesPerSecond)
  return new Response(body, { status: response.status, headers })
}

function slowStream(bytes: Uint8Array, bytesPerSecond: number): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.round(bytesPerSecond / chunksPerSecond))
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
