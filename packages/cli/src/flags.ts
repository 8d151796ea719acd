import { ConfigError } from '@servicekit/client'
import type { ServiceOptions, ServicePreset } from '@servicekit/contract/service'
import type { ArgDef, ArgsDef } from 'citty'
import { unknownName } from '@servicekit/core'
import { parseArgs } from 'node:util'

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
} as const satisfies ArgsDef

/** Flag for translation hooks, of commands that read the application's code. */
export const hookFlag = {
  type: 'string',
  valueHint: 'NAME',
  description: 'Function that returns t or an object with it, like useTranslation; repeatable',
} as const satisfies ArgDef

/** Flag for machine-readable output. */
export const jsonFlag = {
  type: 'boolean',
  description: 'Print the result as one line of JSON',
} as const satisfies ArgDef

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

/** Returns all values of a repeatable flag: `--origin a --origin b,c`. */
export function valuesOf(rawArgs: readonly string[], name: string): readonly string[] | undefined {
  const options = { [name]: { type: 'string', multiple: true } } as const
  const { values } = parseArgs({ args: [...rawArgs], options, strict: false })
  return (values[name] as readonly string[] | undefined)?.flatMap((value) => list(value)!)
}

/** Returns the given flags as text; the values of a repeated flag are joined by commas. */
export function textOfFlags(rawArgs: readonly string[], flags: ArgsDef): Map<string, string> {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type }]) => [
      name,
      { type: type === 'boolean' ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  const { values } = parseArgs({ args: [...rawArgs], options, strict: false, allowNegative: true })
  return new Map(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) && options[name]?.type === 'boolean'
        ? String(value.at(-1))
        : String(value),
    ]),
  )
}

/**
 * Rejects what the argument parser accepts: unknown flags, missing values and more positional
 * arguments than the command has. A name such as `file...` takes any number.
 *
 * @throws ConfigError with the flag and, if it is unknown, the closest known one.
 */
export function checkFlags(rawArgs: readonly string[], flags: ArgsDef): void {
  const { names, positionals } = splitNames(flags)
  let left = positionals.some((name) => name.endsWith('...')) ? Infinity : positionals.length
  const flagNames = names.map((name) => `--${name}`)
  for (let index = 0; index < rawArgs.length; index++) {
    const raw = rawArgs[index]!
    if (!raw.startsWith('-')) {
      if (left-- > 0) continue
      throw new ConfigError(`Unexpected argument "${raw}"`, {
        help: `Known flags: ${flagNames.join(', ')}.`,
      })
    }
    const [given = '', value] = raw.replace(/^--?/, '').split(/=(.*)/s, 2)
    const positive = given.replace(/^no-/, '')
    const name = names.find((one) => one === given || one === positive)
    if (name === undefined) {
      throw new ConfigError(unknownName('flag', `--${given}`, flagNames))
    }
    if (flags[name]?.type === 'boolean') continue
    const next = value ?? rawArgs[++index]
    // An empty value results from an unset variable in a script.
    if (next === undefined || next === '' || (value === undefined && next.startsWith('--'))) {
      const { valueHint = 'VALUE' } = flags[name] ?? {}
      throw new ConfigError(`--${name} requires a value`, { help: `Use --${name} ${valueHint}.` })
    }
  }
}

/** Returns the names of flags and of positional arguments. */
export function splitNames(flags: ArgsDef): {
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
