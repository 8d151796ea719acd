/**
 * Effect of repeating a request, which decides whether a client may retry it after a
 * failure.
 *
 * - `read`: changes nothing; always safe to repeat, whatever its method. Most reads of this
 *   interface are POSTs.
 * - `replace`: idempotent; leaves the same state however often it is sent.
 * - `create`: creates something new each time; never resent once a byte of it may have
 *   arrived.
 */
export type Effect = 'read' | 'replace' | 'create'

/**
 * The part of an operation that a client needs at run time: plain data without a validator,
 * so that browser bundles stay small.
 *
 * ```ts
 * { id: 'uilm.getFile', method: 'GET', path: '/uilm/v1/Key/GetUilmFile',
 *   query: ['Language', 'ModuleName', 'ProjectKey'], effect: 'read' }
 * ```
 */
export interface Route<Id extends string = string> {
  /** `<group>.<verb><Noun>`, the same in code, errors and the OpenAPI document. */
  readonly id: Id
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below the base URL, with path parameters in braces. */
  readonly path: `/${string}`
  /** Names of the query parameters, in the order in which they are sent. */
  readonly query?: readonly string[]
  /** Encoding of the body; absent where there is none. */
  readonly body?: 'json' | 'form' | 'bytes'
  readonly effect: Effect
  /**
   * Callers of operations that need neither a session nor a token. Absent where a caller
   * proves its identity, so that a renewed session may fix a 401.
   *
   * - `key`: the project key is enough.
   * - `sign-in`: starts, renews or ends a session. Its URL, request and response carry codes,
   *   states and tokens.
   */
  readonly access?: 'key' | 'sign-in'
}

/** Header that selects the project on every request (section 5, rule 1). */
export const projectHeader = 'x-service-key'
