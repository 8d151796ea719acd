/**
 * What repeating a request may do, and so whether a client may send it again
 * after a failure.
 *
 * - `read`: changes nothing; always safe to repeat, whatever its method. Most
 *   reads of this interface are POSTs.
 * - `replace`: leaves the same state however often it is sent.
 * - `create`: makes something new each time; never sent again once a byte of
 *   it may have arrived.
 */
export type Effect = 'read' | 'replace' | 'create'

/**
 * The part of an operation that a client needs at run time: plain data, no
 * validator, so that a browser bundle stays small.
 *
 * ```ts
 * { id: 'uilm.getFile', method: 'GET', path: '/uilm/v1/Key/GetUilmFile',
 *   query: ['Language', 'ModuleName', 'ProjectKey'], effect: 'read',
 *   section: '4.6' }
 * ```
 */
export interface Route<Id extends string = string> {
  /** `<group>.<verb><Noun>`, the same in code, errors and the OpenAPI document. */
  readonly id: Id
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Path below the base URL; a path parameter stands in braces. */
  readonly path: `/${string}`
  /** Names of the query parameters, in the order they are sent. */
  readonly query?: readonly string[]
  /** How the body is encoded; absent where there is none. */
  readonly body?: 'json' | 'form'
  readonly effect: Effect
  /** Section of the interface that the operation comes from. */
  readonly section: string
  /** Not in the interface: offered by many instances, to be used where it answers. */
  readonly extension?: true
}

/** The header that selects the project on every request (section 5, rule 1). */
export const projectHeader = 'x-service-key'
