import type { Route } from '@servicekit/contract/routes'
import { type Headers, readHeaders } from './headers.ts'
import type { SendInput } from './send-input.ts'
import type { ResolvedClientOptions } from './options.ts'
import type { TransportRequest } from './transport.ts'

/** Request without the parts that belong to a single attempt. */
export type Prepared = Omit<TransportRequest, 'signal'>

/**
 * Returns a function that builds the request of an operation.
 *
 * @throws TypeError for a value in `json` that JSON does not have, such as NaN.
 */
export function requestMaker({
  baseUrl,
  headers: given,
  requestIds,
  maxBytes,
}: ResolvedClientOptions): (route: Route, input: SendInput) => Prepared {
  const always: Headers = { accept: 'application/json', ...given }
  return (route, { json, jsonText, form, path, query, headers }) => {
    const body = form
      ? String(new URLSearchParams(form))
      : (jsonText ?? JSON.stringify(json, refuseNull))
    return {
      method: route.method,
      url: baseUrl + pathOf(route, path) + queryString(route, query),
      headers: {
        ...(requestIds && { 'x-request-id': createRequestId() }),
        ...always,
        ...(body && {
          'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
        }),
        ...readHeaders(headers),
      },
      body,
      maxBytes,
    }
  }
}

/**
 * Refuses what JSON turns into null: NaN, infinities and invalid dates. Only documents of the
 * gateway have any values, which `printJson` prints.
 */
function refuseNull(
  this: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): unknown {
  const isNull = typeof value === 'number' ? !Number.isFinite(value) : value === null
  if (isNull && this[name] !== null) throw new TypeError(`${name} is ${String(this[name])}`)
  return value
}

const pathOf = (route: Route, values: SendInput['path'] = {}): string =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    // A lone surrogate is invalid in a URL; replace it as forms do.
    const value = encodeURIComponent((values[name] ?? '').replaceAll(/\p{Surrogate}/gu, '\ufffd'))
    // An empty segment, or one of dots, would address another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be "${value}"`)
    return value
  })

const queryString = ({ query = [] }: Route, values: SendInput['query'] = {}): string => {
  const given = query.flatMap((name): [string, string][] =>
    values[name] === undefined ? [] : [[name, String(values[name])]],
  )
  const text = String(new URLSearchParams(given))
  return text && `?${text.replaceAll('+', '%20')}`
}

/** Returns a random id. Pages without TLS have no `randomUUID`. */
const createRequestId = (): string =>
  crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
