import type { Core } from '@servicekit/client/core'
import { execute } from '@servicekit/client/data'
import { ApiError } from '../state/api.ts'
import { toApiError } from '../state/api-error.ts'

type Values = Readonly<Record<string, unknown>>

/** Runs a document on the data gateway. A number would round a large Long, which is a bigint. @throws ApiError if the result has errors. */
export async function runDocument<T>(
  core: Core,
  query: string,
  variables: Values = {},
  signal?: AbortSignal,
): Promise<T> {
  const result = await execute<T>(
    core,
    { query, variables, long: 'bigint' },
    signal ? { signal } : {},
  )
  if (result.ok) return result.data
  const cause = result.errors.find((error) => error.cause !== undefined)?.cause
  if (cause !== undefined) throw toApiError(cause)
  throw new ApiError(-1, result.errors.map(({ message }) => message).join(' '))
}
