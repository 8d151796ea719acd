import { ConfigError } from '@servicekit/client'
import type { ServiceOptions, ServicePreset } from '@servicekit/contract/service'
import { invalidValue, unknownName } from '@servicekit/core'
import { parseArgs } from 'node:util'

/** Flag or argument of a command. */
export interface Flag {
  /** A `list` may be repeated, and its values are separated by commas. */
  readonly type: 'string' | 'boolean' | 'list' | 'positional'
  /** One sentence for the help text. */
  readonly description: string
  /** Placeholder of the value in the help text. */
  readonly valueHint?: string
}

/** Flags by name. The name of a positional argument that takes any number ends with `...`. */
export type Flags = Readonly<Record<string, Flag>>

/** Values of flags by name; undefined for those that were not given. */
export type FlagValues<T extends Flags> = {
  readonly [Name in keyof T]: T[Name]['type'] extends 'boolean'
    ? boolean | undefined
    : T[Name]['type'] extends 'list'
      ? readonly string[] | undefined
      : Name extends `${string}...`
        ? readonly string[]
        : string | undefined
}

/** Flags of every command that reads the configuration. */
export const projectFlags = {
  root: {
    type: 'string',
    valueHint: 'DIR',
    description: 'Folder of the application and its config file (default: the nearest one upwards)',
  },
  'base-url': {
    type: 'string',
    valueHint: 'URL',
    description: 'URL of the service (default: SERVICEKIT_URL, then the config file)',
  },
  'project-key': {
    type: 'string',
    valueHint: 'KEY',
    description: 'Project key (default: SERVICEKIT_PROJECT_KEY, then the config file)',
  },
  preset: {
    type: 'string',
    valueHint: 'NAME',
    description:
      'Kind of service: interface or deployed (default: SERVICEKIT_PRESET, then the config file)',
  },
  'key-header': {
    type: 'string',
    valueHint: 'NAME',
    description:
      'Header of the project key (default: SERVICEKIT_KEY_HEADER, the config file, the preset)',
  },
} as const satisfies Flags

/** Flag for translation hooks, of commands that read the application's code. */
export const hookFlag = {
  type: 'list',
  valueHint: 'NAME',
  description: 'Function that returns t or an object with it, like useTranslation; repeatable',
} as const satisfies Flag

/** Flag for machine-readable output. */
export const jsonFlag = {
  type: 'boolean',
  description: 'Print the result as one line of JSON',
} as const satisfies Flag

/** Converts {@link projectFlags} to options, without those that were not given. */
export function projectOptions(flags: {
  readonly 'base-url'?: string | undefined
  readonly 'project-key'?: string | undefined
  readonly preset?: string | undefined
  readonly 'key-header'?: string | undefined
}): Partial<ServiceOptions> {
  const { 'base-url': baseUrl, 'project-key': projectKey, 'key-header': keyHeader } = flags
  // Validated with the other options.
  const preset = flags.preset as ServicePreset | undefined
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(projectKey === undefined ? {} : { projectKey }),
    ...(preset === undefined ? {} : { preset }),
    ...(keyHeader === undefined ? {} : { keyHeader }),
  }
}

/** Splits `a,b`. Returns undefined if the flag was not given. */
export const list = (value: string | undefined): readonly string[] | undefined =>
  value
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/**
 * Reads the flags and arguments of a command.
 *
 * @throws ConfigError for an unknown flag, with the closest known one, a missing value, and more
 * positional arguments than the command has.
 */
export function parseFlags<T extends Flags>(rawArgs: readonly string[], flags: T): FlagValues<T> {
  const { values, positionals } = readArguments(rawArgs, flags)
  const parsed: Record<string, boolean | string | readonly string[] | undefined> = {}
  for (const [name, { type }] of Object.entries(flags)) {
    const given = values.get(name)
    if (type === 'positional') {
      parsed[name] = name.endsWith('...') ? positionals : positionals.shift()
    } else if (type === 'boolean') parsed[name] = given && given.at(-1) === 'true'
    else parsed[name] = type === 'list' ? given?.flatMap((value) => list(value)!) : given?.at(-1)
  }
  return parsed as FlagValues<T>
}

/**
 * Reads flags as text; the values of a repeated flag are joined by commas.
 *
 * @throws ConfigError like {@link parseFlags}.
 */
export const parseTextFlags = (
  rawArgs: readonly string[],
  flags: Flags,
): ReadonlyMap<string, string> =>
  new Map(
    [...readArguments(rawArgs, flags).values].map(([name, values]) => [
      name,
      flags[name]?.type === 'boolean' ? values.at(-1)! : values.join(','),
    ]),
  )

/** Returns the values of each flag that was given, those of booleans as text. */
function readArguments(rawArgs: readonly string[], flags: Flags) {
  const { names, positionals: known } = splitNames(flags)
  const most = known.some((name) => name.endsWith('...')) ? Infinity : known.length
  const values = new Map<string, string[]>()
  const positionals: string[] = []
  const { tokens } = parseArgs({
    args: [...rawArgs],
    options: Object.fromEntries(
      names.map((name) => [
        name,
        { type: flags[name]?.type === 'boolean' ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
    strict: false,
    tokens: true,
  })
  const flagNames = names.map((name) => `--${name}`)
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (positionals.push(token.value) <= most) continue
      throw new ConfigError(`Unexpected argument "${token.value}"`, {
        help: `Known flags: ${flagNames.join(', ')}.`,
      })
    }
    if (token.kind === 'option-terminator') continue
    const isNegative = !names.includes(token.name) && token.name.startsWith('no-')
    const name = isNegative ? token.name.slice(3) : token.name
    const flag = names.includes(name) ? flags[name] : undefined
    if (!flag || (isNegative && flag.type !== 'boolean')) {
      throw new ConfigError(unknownName('flag', token.rawName, flagNames))
    }
    const value = flag.type === 'boolean' ? booleanOf(token, isNegative) : textOf(token, flag)
    values.set(name, [...(values.get(name) ?? []), value])
  }
  return { values, positionals }
}

interface GivenFlag {
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function booleanOf({ rawName, value = 'true' }: GivenFlag, isNegative: boolean): string {
  if (value !== 'true' && value !== 'false') {
    throw new ConfigError(invalidValue(rawName, 'true or false', value))
  }
  return String((value === 'true') !== isNegative)
}

function textOf({ rawName, value, inlineValue }: GivenFlag, { valueHint = 'VALUE' }: Flag): string {
  // An empty value results from an unset variable in a script.
  if (value && (inlineValue || !value.startsWith('--'))) return value
  throw new ConfigError(`${rawName} requires a value`, { help: `Use ${rawName} ${valueHint}.` })
}

/** Returns the names of flags and of positional arguments. */
export function splitNames(flags: Flags): {
  readonly names: readonly string[]
  readonly positionals: readonly string[]
} {
  const all = Object.keys(flags)
  const positionals = all.filter((name) => flags[name]?.type === 'positional')
  return { names: all.filter((name) => !positionals.includes(name)), positionals }
}

/** Returns a positional argument. @throws ConfigError if it is missing. */
export function required(value: string | undefined, name: string, usage: string): string {
  if (value !== undefined && value !== '') return value
  throw new ConfigError(`${name} is required`, { help: `Use servicekit ${usage}.` })
}
