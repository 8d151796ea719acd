import { projectHeader, type Route } from '@servicekit/contract/routes'
import { type Headers, readHeaders } from '#words'
import type { SendInput } from './core.ts'
import type { ResolvedClientOptions } from './options.ts'
import type { TransportRequest } from './transport.ts'

/** A request without what belongs to a single attempt. */
export type Prepared = Omit<TransportRequest, 'signal'>

/** Builds the request of an operation. @throws TypeError when `json` cannot be written. */
export function requestOf(
  options: ResolvedClientOptions,
  route: Route,
  input: SendInput,
  requestId: string | undefined,
): Prepared {
  const { json, form } = input
  const body = form ? String(new URLSearchParams(form)) : JSON.stringify(json)
  const headers: Headers = {
    accept: 'application/json',
    ...(requestId !== undefined && { 'x-request-id': requestId }),
    ...options.headers,
    [projectHeader]: options.projectKey,
    ...(body !== undefined && {
      'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
    }),
    ...readHeaders(input.headers),
  }
  return {
    method: route.method,
    url: options.baseUrl + pathOf(route, input.path) + queryString(route, input.query),
    headers,
    ...(body !== undefined && { body }),
    maxBytes: options.maxBytes,
  }
}

const pathOf = (route: Route, values: SendInput['path'] = {}): string =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encoded(values[name] ?? '')
    // An empty segment, or one of dots, is the address of another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be "${value}"`)
    return value
  })

function queryString(route: Route, query: SendInput['query'] = {}): string {
  const parts = (route.query ?? []).flatMap((name) => {
    const value = query[name]
    return value === undefined ? [] : [`${name}=${encoded(String(value))}`]
  })
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

/** Half of a character has no place in a URL; it is replaced as `fetch` and forms do it. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
