import { fieldErrors } from '@servicekit/client'
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

/** Converts a failure of a client to one that the console shows. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { message } = error as Error
  const reasons = Object.values(fieldErrors(error)).flat()
  const text = reasons.length > 0 ? reasons.join(' ') : (message.split('\n')[0] ?? message)
  if (!(error instanceof RequestError)) return new ApiError(-1, text, { cause: error })
  if (error.status === undefined) return new ApiError(0, NO_RESPONSE(), { cause: error })
  const { title } = (error.body ?? {}) as { title?: unknown }
  const shown = typeof title === 'string' ? title : text
  return new ApiError(error.status, shown, { cause: error })
}
