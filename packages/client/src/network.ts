/** Details of a failed connection, as far as the runtime reports them. */
export interface ConnectionFailure {
  /** Text for the first line of an error. */
  readonly reason?: string
  readonly help?: string | undefined
  /** True for a time limit of the runtime itself. */
  readonly isTimeout?: boolean
  /** True only if it is certain that not a single byte of the request was sent. */
  readonly neverSent?: boolean
}
