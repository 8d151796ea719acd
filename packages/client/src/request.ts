import { projectHeader, type Route } from '@servicekit/contract/routes'
import { type Headers, readHeaders } from '#words'
import type { SendInput } from './core.ts'
import type { ResolvedClientOptions } from './options.ts'
import type { TransportRequest } from './transport.ts'

/** A request without what belongs to a single attempt. */
export type Prepared = Omit<TransportRequest, 'signal'>

/**
 * Answers what builds the request of an operation.
 *
 * @throws TypeError when `json` cannot be written.
 */
export function requestMaker({
  baseUrl,
  headers: given,
  projectKey,
  requestIds,
  maxBytes,
}: ResolvedClientOptions): (route: Route, input: SendInput) => Prepared {
  const always: Headers = { accept: 'application/json', ...given, [projectHeader]: projectKey }
  return (route, { json, form, path, query, headers }) => {
    const body = form ? String(new URLSearchParams(form)) : JSON.stringify(json)
    return {
      method: route.method,
      url: baseUrl + pathOf(route, path) + queryString(route, query),
      headers: {
        ...(requestIds && { 'x-request-id': crypto.randomUUID() }),
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

const pathOf = (route: Route, values: SendInput['path'] = {}): string =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encoded(values[name] ?? '')
    // An empty segment, or one of dots, is the address of another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be "${value}"`)
    return value
  })

function queryString(route: Route, query: SendInput['query'] = {}): string {
  let text = ''
  for (const name of route.query ?? []) {
    const value = query[name]
    if (value !== undefined) text += `${text ? '&' : '?'}${name}=${encoded(String(value))}`
  }
  return text
}

/** Half of a character has no place in a URL; it is replaced as `fetch` and forms do it. */
const encoded = (text: string & { toWellFormed?: () => string }): string =>
  encodeURIComponent(text.toWellFormed?.() ?? text)
