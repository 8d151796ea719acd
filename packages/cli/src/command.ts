import { type ArgsDef, parseArgs, type ParsedArgs } from 'citty'
import { checkFlags } from './flags.ts'
import type { Io } from './io.ts'

/** A command: its flags and its implementation. */
export interface Command {
  /** One sentence for the list of commands. */
  readonly description: string
  /** Flags, or a function that loads them from an optional package. */
  readonly flags: ArgsDef | (() => Promise<ArgsDef>)
  /** Runs the command and resolves with its exit code. */
  readonly run: (rawArgs: readonly string[], io: Io) => Promise<number>
}

/** Creates a command whose runner receives typed flags. */
export function defineCommand<const T extends ArgsDef>(command: {
  readonly description: string
  readonly flags: T
  /** Receives `rawArgs` as well, to read repeatable flags. */
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
