import type { data } from '@servicekit/contract'
import { parseExactJson, printExactJson } from '@servicekit/core/exact-json'
import type { Platform } from '../src/index.ts'

/** Result of {@link send}; the data is untyped for use in tests. */
export interface Outcome {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it selected
  readonly data: any
  readonly errors: NonNullable<data.GatewayResponseBody['errors']>
  /** Code of the first error. */
  readonly code: string | undefined
}

/**
 * Sends a GraphQL operation to a platform.
 *
 * @param token bearer token of the caller; anonymous without one.
 */
export async function send(
  platform: Platform,
  key: string,
  query: string,
  variables?: Record<string, unknown>,
  token?: string,
): Promise<Outcome> {
  const response = await platform.fetch(
    new Request('http://platform.local/data/v4/gateway', {
      method: 'POST',
      headers: {
        'x-service-key': key,
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: printExactJson({ query, variables }),
    }),
  )
  const body = parseExactJson(await response.text()) as data.GatewayResponseBody
  const errors = body.errors ?? []
  return { status: response.status, data: body.data, errors, code: errors[0]?.extensions?.code }
}
