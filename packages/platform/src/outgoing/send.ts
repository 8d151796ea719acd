import { lookup as resolveName } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressKind, addressFault } from './address-filter.ts'

/** Request that the platform sends to a configured address. */
interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Time limit for the whole response, in ms. */
  readonly timeoutMs: number
}

/** Response to an outgoing request; redirects are returned and not followed. */
export interface OutgoingResponse {
  readonly status: number
  readonly text: string
}

/** Sends requests to allowed addresses. */
export type Send = (request: OutgoingRequest, signal?: AbortSignal) => Promise<OutgoingResponse>

/** Maximum bytes of a response that are read. */
const maxBytes = 1_000_000

/** Thrown when nothing was sent because the address is blocked. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * Creates a sender. A name is resolved once and the connection goes to the checked address,
 * so that a name that resolves differently the second time cannot bypass the check.
 */
export function senderTo(permitted: ReadonlySet<AddressKind>): Send {
  const lookup: LookupFunction = (hostname, options, done) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return void done(error, '', 0)
      for (const { address } of addresses) {
        const fault = addressFault(address, permitted)
        if (fault) return void done(new AddressRefused(`${hostname}: ${fault}.`), '', 0)
      }
      if (options.all) return void done(null, addresses)
      const [{ address, family }] = addresses as [{ address: string; family: number }]
      done(null, address, family)
    })
  }
  return (outgoing, signal) => send(outgoing, lookup, permitted, signal)
}

async function send(
  { method, url: text, headers, body, timeoutMs }: OutgoingRequest,
  lookup: LookupFunction,
  permitted: ReadonlySet<AddressKind>,
  ending?: AbortSignal,
): Promise<OutgoingResponse> {
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AddressRefused(`${url.protocol}// is not a protocol that is sent by.`)
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // A literal address is not looked up.
  const fault = isIP(host) === 0 ? undefined : addressFault(host, permitted)
  if (fault) throw new AddressRefused(`${fault}.`)
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = ending ? AbortSignal.any([ending, timeout]) : timeout
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  try {
    return await new Promise((resolve, reject) => {
      const sending = request(
        url,
        {
          method,
          lookup,
          signal,
          // Every connection is checked: keep none that was opened under other rules.
          agent: false,
          headers: {
            ...headers,
            ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          let size = 0
          response.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size > maxBytes) sending.destroy(new Error(`The answer exceeds ${maxBytes} bytes.`))
            else chunks.push(chunk)
          })
          response.on('error', reject)
          response.on('end', () => {
            const answer = Buffer.concat(chunks).toString('utf8')
            resolve({ status: response.statusCode ?? 0, text: answer })
          })
        },
      )
      sending.on('error', reject)
      sending.end(body)
    })
  } catch (error) {
    if (timeout.aborted) {
      throw new Error(`There was no answer within ${timeoutMs} ms.`, { cause: error })
    }
    throw error
  }
}
