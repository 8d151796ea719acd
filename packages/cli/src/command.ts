import { type ArgsDef, parseArgs, type ParsedArgs } from 'citty'
import { checkFlags } from './flags.ts'
import type { Io } from './io.ts'

/** A command: its flags, and what it does with them. */
export interface Command {
  /** One sentence for the list of commands. */
  readonly description: string
  readonly flags: ArgsDef
  /** Runs it; resolves with the exit code. */
  readonly run: (rawArgs: readonly string[], io: Io) => Promise<number>
}

/** Ties flags and runner together, so that the runner sees the flags' types. */
export function defineCommand<const T extends ArgsDef>(command: {
  readonly description: string
  readonly flags: T
  /** Flags that may be given several times are read from the arguments themselves. */
  readonly run: (flags: ParsedArgs<T>, io: Io, rawArgs: readonly string[]) => Promise<number>
}): Command {
  const { description, flags, run } = command
  return {
    description,
    flags,
    run(rawArgs, io) {
      checkFlags(rawArgs, flags)
      return run(parseArgs<T>([...rawArgs], flags), io, rawArgs)
    },
  }
}
