import { type Flags, type FlagValues, parseFlags } from './flags.ts'
import type { Io } from './io.ts'

/** A command: its flags and its implementation. */
export interface Command {
  /** One sentence for the list of commands. */
  readonly description: string
  /** Flags, or a function that loads them from an optional package. */
  readonly flags: Flags | (() => Promise<Flags>)
  /** Runs the command and resolves with its exit code. */
  readonly run: (rawArgs: readonly string[], io: Io) => Promise<number>
}

/** Creates a command whose runner receives typed flags. */
export const defineCommand = <const T extends Flags>({
  run,
  ...command
}: {
  readonly description: string
  readonly flags: T
  readonly run: (flags: FlagValues<T>, io: Io) => Promise<number>
}): Command => ({
  ...command,
  run: (rawArgs, io) => run(parseFlags(rawArgs, command.flags), io),
})
