import type { CallOptions, Core } from './core.ts'
import { executeText } from './data.ts'
import type { SendInput } from './send-input.ts'

/** Gateway for code that `@servicekit/codegen` generates. */
export interface ClientGateway {
  readonly baseUrl: string
  readonly projectKey: string
  /** Sends a document through the client. */
  readonly send: (
    request: GatewayRequest,
    call: GatewayCall,
  ) => Promise<{ readonly status: number; readonly text: string }>
  /** Replaces the time limit of generated code: the client has its own. */
  readonly signal: undefined
}

/** Request of generated code. */
export interface GatewayRequest {
  /** GraphQL document. */
  readonly query: string
  /** JSON of the document and its variables. */
  readonly body: string
}

/** Options of the call that generated code passes on. */
export interface GatewayCall {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Creates a gateway for generated code that sends its requests through a client or a session:
 * with its time limits, retries of reads, renewal, request ids and hooks. A failed request is
 * a result whose `errors[0].cause` is the RequestError.
 *
 * ```ts
 * const gateway = createClientGateway({ client })
 * const result = await listProducts(gateway)
 * ```
 *
 * @see section 4.5
 */
export function createClientGateway({
  client: { core },
}: {
  /** A client, a session, or `{ core }`. */
  readonly client: { readonly core: Core }
}): ClientGateway {
  return {
    baseUrl: core.baseUrl,
    projectKey: core.projectKey,
    async send({ query, body }, { headers, signal }) {
      const call = { headers, signal } as CallOptions & Pick<SendInput, 'headers'>
      return executeText(core, query, body, call)
    },
    signal: undefined,
  }
}
