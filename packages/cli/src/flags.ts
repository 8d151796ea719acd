import { ConfigError } from '@servicekit/client'
import type { ServiceOptions, ServicePreset } from '@servicekit/contract/service'
import { formatRange, invalidValue, unknownName, withoutUndefined } from '@servicekit/core'
import { parseArgs } from 'node:util'

/** Flag or argument of a command. */
export interface Flag {
  /** A `list` may be repeated, and its values are separated by commas. */
  readonly type: 'string' | 'integer' | 'boolean' | 'list' | 'positional'
  /** Smallest and largest integer; 0 and no limit by default. */
  readonly range?: readonly [min: number, max?: number]
  /** Letter of a shorter form, such as `-h`. */
  readonly short?: string
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
      : T[Name]['type'] extends 'integer'
        ? number | undefined
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

/** Flags of every command. */
export const commonFlags = {
  yes: {
    type: 'boolean',
    short: 'y',
    description: 'Install missing packages and accept defaults without asking',
  },
  help: { type: 'boolean', short: 'h', description: 'Print this help' },
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
  return withoutUndefined({
    baseUrl: flags['base-url'],
    projectKey: flags['project-key'],
    // Validated with the other options.
    preset: flags.preset as ServicePreset | undefined,
    keyHeader: flags['key-header'],
  })
}

/** Splits `a,b`. Returns undefined if the flag was not given. */
export const list = (value: string | undefined): readonly string[] | undefined =>
  value
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Arguments of a command as they were given. */
export interface Arguments {
  /** Values by flag, those of booleans as `true` or `false`. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly positionals: readonly string[]
  /** First mistake. The other arguments are read nevertheless: `--json` is the form of the error. */
  readonly problem?: ConfigError
}

/** Returns true if a boolean flag was given, and not negated. */
export const isSet = ({ values }: Arguments, name: string): boolean =>
  values.get(name)?.at(-1) === 'true'

/** Returns the typed values of flags and positional arguments. */
export function flagValues<T extends Flags>(
  { values, positionals }: Arguments,
  flags: T,
): FlagValues<T> {
  const remaining = [...positionals]
  const valueOf = (name: string, type: Flag['type']) => {
    const given = values.get(name)
    if (type === 'positional') return name.endsWith('...') ? remaining : remaining.shift()
    if (type === 'list') return given?.flatMap((value) => list(value)!)
    if (type === 'boolean') return given && given.at(-1) === 'true'
    return type === 'integer' ? given && Number(given.at(-1)) : given?.at(-1)
  }
  return Object.fromEntries(
    Object.entries(flags).map(([name, { type }]) => [name, valueOf(name, type)]),
  ) as FlagValues<T>
}

/** Returns flags as text; the values of a repeated flag are joined by commas. */
export const textFlags = ({ values }: Arguments, flags: Flags): ReadonlyMap<string, string> =>
  new Map(
    [...values]
      .filter(([name]) => Object.hasOwn(flags, name))
      .map(([name, given]) => [
        name,
        flags[name]!.type === 'boolean' ? given.at(-1)! : given.join(','),
      ]),
  )

/**
 * Reads the flags and arguments of a command, and the {@link commonFlags}. The problem is an
 * unknown flag, with the closest known one, a value that is missing or not valid, or more
 * positional arguments than the command has.
 */
export function readArguments(rawArgs: readonly string[], own: Flags): Arguments {
  const flags: Flags = { ...own, ...commonFlags }
  const { names, positionals: known } = splitNames(flags)
  const most = known.some((name) => name.endsWith('...')) ? Infinity : known.length
  const values = new Map<string, string[]>()
  const positionals: string[] = []
  const problems: ConfigError[] = []
  const { tokens } = parseArgs({
    args: [...rawArgs],
    options: Object.fromEntries(names.map((name) => [name, parserOptionOf(flags[name]!)])),
    strict: false,
    tokens: true,
  })
  const flagNames = names.map((name) => `--${name}`)
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') {
      if (positionals.push(token.value) <= most) continue
      const help = `Known flags: ${flagNames.join(', ')}.`
      problems.push(new ConfigError(`Unexpected argument "${token.value}"`, { help }))
      continue
    }
    const isNegative = !names.includes(token.name) && token.name.startsWith('no-')
    const name = isNegative ? token.name.slice(3) : token.name
    const flag = names.includes(name) ? flags[name] : undefined
    if (!flag || (isNegative && flag.type !== 'boolean')) {
      problems.push(new ConfigError(unknownName('flag', token.rawName, flagNames)))
      continue
    }
    const value = flag.type === 'boolean' ? booleanOf(token, isNegative) : textOf(token, flag)
    if (value instanceof ConfigError) problems.push(value)
    else values.set(name, [...(values.get(name) ?? []), value])
  }
  const [problem] = problems
  return { values, positionals, ...(problem && { problem }) }
}

const parserOptionOf = ({ type, short }: Flag) => ({
  type: type === 'boolean' ? ('boolean' as const) : ('string' as const),
  ...(short !== undefined && { short }),
})

interface GivenFlag {
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function booleanOf(
  { rawName, value = 'true' }: GivenFlag,
  isNegative: boolean,
): string | ConfigError {
  if (value !== 'true' && value !== 'false') {
    return new ConfigError(invalidValue(rawName, 'true or false', value))
  }
  return String((value === 'true') !== isNegative)
}

function textOf(
  { rawName, value, inlineValue }: GivenFlag,
  { type, range = [0], valueHint = 'VALUE' }: Flag,
): string | ConfigError {
  // An empty value results from an unset variable in a script.
  if (!value || (!inlineValue && value.startsWith('--'))) {
    return new ConfigError(`${rawName} requires a value`, { help: `Use ${rawName} ${valueHint}.` })
  }
  const [min, max] = range
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  const isInRange = number >= min && number <= (max ?? Number.MAX_SAFE_INTEGER)
  if (type !== 'integer' || isInRange) return value
  return new ConfigError(invalidValue(rawName, formatRange(min, max), value))
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
