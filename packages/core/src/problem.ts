/** `error` stops the command, `warning` is printed, `info` is counted. */
export type Severity = 'error' | 'warning' | 'info'

/**
 * Problem in data: a value, not an exception. The caller (plugin, command) decides whether
 * to print it or fail.
 */
export interface Problem<Code extends string> {
  readonly severity: Severity
  readonly code: Code
  /** Single sentence that describes the problem and, if it is not obvious, the solution. */
  readonly message: string
}
