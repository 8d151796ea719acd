import type { GatewayFailure, GatewaySuccess } from '@servicekit/core'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { execute } from './data.ts'
import { wrongShape } from './operate.ts'

/** Gateway for code that `@servicekit/codegen` generates. */
export interface ClientGateway {
  readonly baseUrl: string
  readonly projectKey: string
  /** Sends a request through the client. */
  readonly fetch: (url: string, init: RequestInit) => Promise<GatewayHttpResponse>
  /** Replaces the time limit of generated code: the client has its own. */
  readonly signal: undefined
}

/** The part of a response that generated code reads. */
export interface GatewayHttpResponse {
  readonly status: number
  /** Resolves with the parsed body. */
  readonly json: () => Promise<unknown>
}

/**
 * Creates a gateway for generated code that sends its requests through a client or a session:
 * with its time limits, retries of reads, renewal, request ids and hooks. A failed request is
 * a result whose `errors[0].cause` is the RequestError, and a response that is not a GraphQL
 * result (HTML, an incomplete body, null without an error) one whose cause is the
 * ResponseShapeError.
 *
 * ```ts
 * const gateway = createGateway({ client })
 * const result = await listProducts(gateway)
 * ```
 *
 * @see section 4.5
 */
export function createGateway({
  client: { core },
}: {
  /** A client, a session, or `{ core }`. */
  readonly client: { readonly core: Core }
}): ClientGateway {
  return {
    baseUrl: core.baseUrl,
    projectKey: core.projectKey,
    async fetch(_url, { body, headers, signal }) {
      const call = { headers, signal } as CallOptions
      const result = await execute(core, JSON.parse(body as string), call)
      const { data } = result as Partial<GatewaySuccess<Record<string, unknown>>>
      // Generated operations never return null without an error.
      const missing = Object.keys(data ?? {}).find((name) => data?.[name] === null)
      const json =
        missing === undefined
          ? { data: (result as GatewayFailure).partial, ...result }
          : { errors: [withoutData(core, missing)] }
      return { status: 200, json: async () => json }
    },
    signal: undefined,
  }
}

function withoutData(
  core: Core,
  name: string,
): { readonly message: string; readonly cause: unknown } {
  const intent = 'run the GraphQL operation'
  const cause = wrongShape(core, routes.dataExecute, intent, `a value in data.${name}`)
  return { message: cause.message, cause }
}
