/** Questions that only a user can answer. */
export interface Prompts {
  /** Resolves with the value of the selected option. */
  readonly select: (
    question: string,
    options: readonly { readonly value: string; readonly label: string }[],
  ) => Promise<string>
  readonly text: (question: string, placeholder?: string) => Promise<string>
  readonly confirm: (question: string) => Promise<boolean>
}

/** The parts of the process that a command may use; replaced in tests. */
export interface Io {
  /** Writes results. */
  readonly stdout: (text: string) => void
  /** Writes progress, warnings and errors. */
  readonly stderr: (text: string) => void
  /** True on a terminal, where progress is redrawn in place; otherwise it is printed as lines. */
  readonly isTerminal: boolean
  /** Milliseconds between two lines of progress without a terminal; default 2,000. */
  readonly progressIntervalMs?: number
  /** Writes terminal sequences, such as those of a progress bar. Never text from outside. */
  readonly draw?: (sequence: string) => void
  /** Asks for confirmation; undefined if there is no user, as in CI. */
  readonly confirm?: (question: string) => Promise<boolean>
  /** Asks for more than confirmation; undefined if there is no user, and with `--yes`. */
  readonly prompts?: Prompts
  /** True with `--yes`, which skips all prompts. */
  readonly assumesYes?: boolean
  /**
   * Runs the same command again in a new process, after a package was installed, and resolves
   * with its exit code. Node caches that a package was not found, so that the current process
   * cannot load it.
   */
  readonly restart?: (installedPackage: string) => Promise<number>
  /** Packages that were installed before a restart, so that none is installed twice. */
  readonly installed?: readonly string[]
  /** Aborted when the command should stop: SIGINT, SIGTERM. */
  readonly signal: AbortSignal
}
