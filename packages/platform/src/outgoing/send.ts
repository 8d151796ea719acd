import { lookup as resolveName } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressKind, addressFault } from './address-filter.ts'

/** A request that the platform sends, to an address that somebody configured. */
interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Longest time to the end of the answer, in ms. */
  readonly timeoutMs: number
}

/** What came back; a redirect is an answer, and is not followed. */
export interface OutgoingResponse {
  readonly status: number
  readonly text: string
}

/** Sends requests to permitted addresses. */
export type Send = (request: OutgoingRequest, signal?: AbortSignal) => Promise<OutgoingResponse>

/** Most of an answer that is read, in bytes. */
const maxBytes = 1_000_000

/** Why nothing was sent: the address is none that may be reached. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * A sender. Names are resolved once and the connection goes to what was checked,
 * so that a name which answers differently the second time gains nothing.
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
          // Each connection is checked: none is kept that was made under other rules.
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
