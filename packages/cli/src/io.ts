/** What a command may touch of the process; tests give their own. */
export interface Io {
  /** For results. */
  readonly stdout: (text: string) => void
  /** For progress, warnings and errors. */
  readonly stderr: (text: string) => void
  /** Whether a person watches: progress is drawn over itself then, and lines otherwise. */
  readonly isTerminal: boolean
  /** Asks a person, who answers yes or no; undefined where nobody can, as in CI. */
  readonly confirm?: (question: string) => Promise<boolean>
  /** Aborted when the command should end: SIGINT, SIGTERM. */
  readonly signal: AbortSignal
}
