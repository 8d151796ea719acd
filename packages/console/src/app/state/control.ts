import { type Control, createControl } from '@servicekit/client/control'
import { printExactJson } from '@servicekit/core/exact-json'
import { toApiError } from './api-error.ts'

/** Creates headers of a request. The request log hides those of the console by their ids. */
export const requestHeaders = (): Readonly<Record<string, string>> => ({
  'x-request-id': createRequestId(),
})

/** Returns a random id. Pages without TLS have no `randomUUID`. */
const createRequestId = (): string =>
  `console-${crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-')}`

const control = createControl({
  baseUrl: location.origin,
  headers: requestHeaders,
  print: printExactJson,
})

/** Calls a control operation. @throws ApiError */
export const callControl: Control['send'] = (address, ...input) =>
  control.send(address, ...input).catch((error: unknown) => {
    throw toApiError(error)
  })
