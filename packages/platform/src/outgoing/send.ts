import { lookup as lookUp } from 'node:dns'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressKind, addressProblem } from './address-filter.ts'

interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Time limit for the whole response, in ms. */
  readonly timeoutMs: number
}

/** Response to an outgoing request; redirects are returned and not followed. */
interface OutgoingResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends requests to allowed addresses. */
export type Send = (request: OutgoingRequest, signal?: AbortSignal) => Promise<OutgoingResponse>

/** Creates a request with a JSON body, and a bearer token if there is one. */
export const jsonRequest = (
  url: string,
  body: object,
  timeoutMs: number,
  token?: string,
): OutgoingRequest => ({
  method: 'POST',
  url,
  headers: {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  },
  body: JSON.stringify(body),
  timeoutMs,
})

const maxBytes = 1_000_000

/** Thrown when nothing was sent because the address is blocked. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
}

/**
 * Creates a sender. A name is resolved once and the connection goes to the checked address,
 * so that a name that resolves differently the second time cannot bypass the check.
 */
export function senderTo(allowed: ReadonlySet<AddressKind>): Send {
  const lookup: LookupFunction = (hostname, options, done) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return void done(error, '', 0)
      for (const { address } of addresses) {
        const problem = addressProblem(address, allowed)
        if (problem) return void done(new BlockedAddressError(`${hostname}: ${problem}.`), '', 0)
      }
      if (options.all) return void done(null, addresses)
      const [{ address, family }] = addresses as [{ address: string; family: number }]
      done(null, address, family)
    })
  }
  return async ({ method, url: text, headers, body, timeoutMs }, ending) => {
    const url = new URL(text)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new BlockedAddressError(
        `The URL must start with http: or https: (received ${url.protocol}).`,
      )
    }
    // Node does not look up a literal address.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const problem = isIP(host) === 0 ? undefined : addressProblem(host, allowed)
    if (problem) throw new BlockedAddressError(`${problem}.`)
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = ending ? AbortSignal.any([ending, timeout]) : timeout
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    // Without an agent, no connection is reused that was opened under other rules.
    const options = { method, headers, lookup, signal, agent: false }
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request(url, options, resolve).on('error', reject).end(body)
      })
      const { statusCode: status = 0, headers: received } = response
      return { status, headers: received, text: await readBody(response) }
    } catch (error) {
      if (!timeout.aborted) throw error
      throw new Error(`There was no response within ${timeoutMs} ms.`, { cause: error })
    }
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`The response exceeds ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
