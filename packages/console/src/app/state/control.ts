import { type Control, createControl } from '@servicekit/client/control'
import { RequestError } from '@servicekit/client/core'
import { NO_RESPONSE } from '~uilm/shell'

/** Failed request. Its status is 0 if the platform did not respond. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** Creates headers of a request. The request log hides those of the console by their ids. */
export const requestHeaders = (): Readonly<Record<string, string>> => ({
  'x-request-id': createRequestId(),
})

/** Returns a random id. Pages without TLS have no `randomUUID`. */
const createRequestId = (): string =>
  `console-${crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-')}`

const control = createControl({ baseUrl: location.origin, headers: requestHeaders })

/** Calls a control operation. @throws ApiError */
export const callControl: Control['send'] = (address, ...input) =>
  control.send(address, ...input).catch((error: unknown) => {
    throw toApiError(error)
  })

/** Converts a failure of a control operation to one that the console shows. */
function toApiError(error: unknown): unknown {
  if (!(error instanceof RequestError) || error.code === 'REQUEST_ABORTED') return error
  const { status, message } = error
  return status === undefined
    ? new ApiError(0, NO_RESPONSE(), { cause: error })
    : new ApiError(status, message.split('\n')[0] ?? message, { cause: error })
}
