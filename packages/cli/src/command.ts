import { type Arguments, type Flags, type FlagValues, flagValues } from './flags.ts'
import type { Io } from './io.ts'

/** A command: its flags and its implementation. */
export interface Command {
  /** One sentence for the list of commands. */
  readonly description: string
  /** Flags, or a function that loads them from an optional package. */
  readonly flags: Flags | (() => Promise<Flags>)
  /** Runs the command and resolves with its exit code. */
  readonly run: (args: Arguments, io: Io) => Promise<number>
}

/** Returns the flags of a command. @throws ServicekitError `PACKAGE_MISSING` */
export const flagsOf = async ({ flags }: Command): Promise<Flags> =>
  typeof flags === 'function' ? await flags() : flags

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
  run: (args, io) => run(flagValues(args, command.flags), io),
})
