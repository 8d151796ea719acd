/**
 * What a command's exit code says, so that scripts can tell a typing mistake
 * from a network that is down.
 */
export const exitCode = {
  ok: 0,
  /** It ran and found something that has to be mended. */
  findings: 1,
  /** A flag, an option or a folder that cannot be used. */
  usage: 2,
  /** Committed files are not what they should be. */
  drift: 3,
  /** The service could not be reached, or refused. */
  network: 4,
  /** There is nothing committed to build from. */
  missing: 5,
  /** It was told to stop before it was done, as a shell counts SIGINT; 143 for SIGTERM. */
  stopped: 130,
} as const

const byCode: Readonly<Record<string, number>> = {
  CONFIG_INVALID: exitCode.usage,
  OPTION_INVALID: exitCode.usage,
  PROJECT_INVALID: exitCode.usage,
  LISTEN_FAILED: exitCode.usage,
  DATABASE_IN_USE: exitCode.usage,
  DATABASE_INCOMPATIBLE: exitCode.usage,
  DATABASE_FAILED: exitCode.network,
  STORAGE_UNAVAILABLE: exitCode.network,
  READ_FAILED: exitCode.usage,
  EMIT_FAILED: exitCode.usage,
  OUTPUT_FAILED: exitCode.usage,
  OUTPUT_FOREIGN: exitCode.usage,
  REMOVAL_REFUSED: exitCode.usage,
  SNAPSHOT_DRIFT: exitCode.drift,
  SNAPSHOT_INVALID: exitCode.drift,
  SNAPSHOT_MISSING: exitCode.missing,
  LISTING_FAILED: exitCode.network,
  LISTING_INVALID: exitCode.network,
  REQUEST_REFUSED: exitCode.network,
  REQUEST_FAILED: exitCode.network,
  REQUEST_TIMED_OUT: exitCode.network,
  RATE_LIMITED: exitCode.network,
  RESPONSE_INVALID: exitCode.network,
  RESPONSE_TOO_LARGE: exitCode.network,
}

/** An error of this toolkit: its message says all that a reader needs. */
export interface KnownError extends Error {
  readonly code: string
  readonly facts: object
  readonly help?: string | undefined
}

/** Told by its form: the classes are in packages that not every command loads. */
export function isKnownError(error: unknown): error is KnownError {
  return error instanceof Error && 'facts' in error && 'code' in error
}

/** Exit code for an error that ended a command. */
export function exitCodeOf(error: unknown): number {
  if (!isKnownError(error)) return exitCode.findings
  // A listing that is a file has nothing to do with the network.
  if (error.code.startsWith('LISTING_') && 'file' in error.facts) {
    if (!String(error.facts.file).endsWith('.lock.json')) return exitCode.usage
    return error.code === 'LISTING_FAILED' ? exitCode.missing : exitCode.drift
  }
  return byCode[error.code] ?? exitCode.findings
}
