/** Exit codes, so that scripts can distinguish a mistyped flag from a network failure. */
export const exitCode = {
  ok: 0,
  /** The command ran and found problems to fix. */
  findings: 1,
  /** A flag, option or folder is invalid. */
  usage: 2,
  /** Committed files are out of date. */
  drift: 3,
  /** The service could not be reached, or refused. */
  network: 4,
  /** There are no committed files to build from. */
  missing: 5,
  /** A package that the command needs is not installed. */
  packageMissing: 6,
  /** Stopped by SIGINT before it was done; 143 for SIGTERM, 129 for SIGHUP. */
  stopped: 130,
} as const

/** Meanings of the exit codes, for `--help` and the documentation. */
export const exitCodeMeanings = [
  [exitCode.ok, 'success'],
  [exitCode.findings, 'problems found'],
  [exitCode.usage, 'invalid usage'],
  [exitCode.drift, 'files out of date'],
  [exitCode.network, 'network error'],
  [exitCode.missing, 'no committed files'],
  [exitCode.packageMissing, 'package not installed'],
  [exitCode.stopped, 'stopped by Ctrl-C'],
] as const satisfies readonly (readonly [(typeof exitCode)[keyof typeof exitCode], string])[]

const byCode: Readonly<Record<string, number>> = {
  CONFIG_INVALID: exitCode.usage,
  OPTION_INVALID: exitCode.usage,
  PROJECT_INVALID: exitCode.usage,
  LISTEN_FAILED: exitCode.usage,
  DATABASE_IN_USE: exitCode.usage,
  DATABASE_INCOMPATIBLE: exitCode.usage,
  DATABASE_FAILED: exitCode.network,
  STORAGE_UNAVAILABLE: exitCode.network,
  BACKUP_INVALID: exitCode.findings,
  READ_FAILED: exitCode.usage,
  EMIT_FAILED: exitCode.usage,
  OUTPUT_FAILED: exitCode.usage,
  OUTPUT_FOREIGN: exitCode.usage,
  REMOVAL_REFUSED: exitCode.usage,
  SNAPSHOT_DRIFT: exitCode.drift,
  SNAPSHOT_INVALID: exitCode.drift,
  SNAPSHOT_MISSING: exitCode.missing,
  PACKAGE_MISSING: exitCode.packageMissing,
  LISTING_FAILED: exitCode.network,
  LISTING_INVALID: exitCode.network,
  REQUEST_REFUSED: exitCode.network,
  REQUEST_FAILED: exitCode.network,
  REQUEST_TIMED_OUT: exitCode.network,
  RATE_LIMITED: exitCode.network,
  RESPONSE_INVALID: exitCode.network,
  RESPONSE_TOO_LARGE: exitCode.network,
}

/** Error of this toolkit, with a message that is complete for the reader. */
export interface KnownError extends Error {
  readonly code: string
  readonly details: object
  readonly help?: string | undefined
}

/** Checked by shape: not every command loads the packages that define the classes. */
export function isKnownError(error: unknown): error is KnownError {
  return error instanceof Error && 'details' in error && 'code' in error
}

/** Returns the exit code for an error that ended a command. */
export function exitCodeOf(error: unknown): number {
  if (!isKnownError(error)) return exitCode.findings
  // An error in a list that was read from a file is not a network error.
  if (error.code.startsWith('LISTING_') && 'file' in error.details) {
    if (!String(error.details.file).endsWith('.lock.json')) return exitCode.usage
    return error.code === 'LISTING_FAILED' ? exitCode.missing : exitCode.drift
  }
  return byCode[error.code] ?? exitCode.findings
}
