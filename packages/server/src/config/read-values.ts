import { findClosest, isObject, parseJson } from '@servicekit/core'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConfigFile } from './load-config-file.ts'
import { fileVariableOf, type Setting, settingsList, valueIn } from './list-settings.ts'
import { toolVariables } from './tool-variables.ts'

/** Place where a value was set, as users know it: `--port`, `SERVICEKIT_PORT` or a file. */
type Source = string

/** Value of a setting before validation. */
export interface GivenValue {
  readonly value: unknown
  readonly source: Source
}

/** Something wrong in the configuration. */
export interface ConfigProblem {
  /** Setting, flag or variable. */
  readonly name: string
  readonly message: string
}

/** Everything that may contain settings. */
export interface ConfigInput {
  /** Values by flag without dashes; those of a repeated flag separated by commas. */
  readonly flags: ReadonlyMap<string, string>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly file: ConfigFile | undefined
  /** Folder that paths in flags and variables are relative to. */
  readonly folder: string
}

/**
 * Returns the value of each setting that is set. Flags override environment variables, which
 * override the config file.
 */
export function readValues(input: ConfigInput) {
  const values = new Map<string, GivenValue>()
  const problems = [...unknownVariables(input.env), ...unknownOptions(input.file)]
  for (const setting of settingsList) {
    const given = readValue(setting, input)
    if (!given) continue
    if ('message' in given) problems.push(given)
    else if (setting.isSecret && typeof given.value === 'string' && given.value.trim() === '') {
      // Of all secrets: also those whose schema other packages define.
      problems.push({ name: setting.name, message: `must not be blank, set by ${given.source}.` })
    } else values.set(setting.name, given)
  }
  return { values, problems }
}

function readValue(
  setting: Setting,
  { flags, env, file, folder }: ConfigInput,
): GivenValue | ConfigProblem | undefined {
  const { name, flag, isSecret, variable, alias } = setting
  const onCommandLine = flags.get(flag)
  if (onCommandLine !== undefined) {
    return isSecret
      ? readSecret(name, `--${flag}`, resolve(folder, onCommandLine))
      : { value: parse(setting, onCommandLine), source: `--${flag}` }
  }
  // An empty variable counts as absent, as templates of containers leave them.
  const own = isServiceLink(env[variable]) ? undefined : env[variable] || undefined
  const fileVariable = fileVariableOf(setting)
  const path = isSecret ? env[fileVariable] || undefined : undefined
  if (own !== undefined && path !== undefined) {
    return { name, message: `is set by both ${variable} and ${fileVariable}. Remove one of them.` }
  }
  if (path !== undefined) return readSecret(name, fileVariable, resolve(folder, path))
  if (own !== undefined) return { value: parse(setting, own), source: variable }
  const shared = alias === undefined ? undefined : env[alias] || undefined
  if (shared !== undefined) return { value: parse(setting, shared), source: alias! }
  const value = file && valueIn(file.values, name)
  return value === undefined ? undefined : { value, source: file!.path }
}

function readSecret(name: string, source: Source, path: string): GivenValue | ConfigProblem {
  try {
    return { value: readFileSync(path, 'utf8').replace(/\r?\n$/, ''), source: `${source}=${path}` }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { name, message: `cannot be read from ${path}, which ${source} names (${code}).` }
  }
}

/** Converts the text of a flag or variable. Text that is not of the kind stays as it is. */
function parse({ kind }: Setting, text: string): unknown {
  if (kind === 'integer') return /^-?\d+$/.test(text.trim()) ? Number(text) : text
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (kind === 'json') return parseJson(text) ?? text
  if (kind !== 'list') return text
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

const prefix = 'SERVICEKIT_'

/** Values that Kubernetes sets in every pod for a Service whose name begins with `servicekit`. */
const isServiceLink = (value: string | undefined): boolean =>
  /^(?:tcp|udp|sctp):\/\//.test(value ?? '')
const serviceLinks = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)_\w+$/

function unknownVariables(env: ConfigInput['env']): ConfigProblem[] {
  const known = [
    ...settingsList.flatMap((one) => [
      one.variable,
      ...(one.isSecret ? [fileVariableOf(one)] : []),
    ]),
    ...toolVariables,
  ]
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith(prefix) && !known.includes(name) && value)
    .filter(([name, value]) => !serviceLinks.test(name) && !isServiceLink(value))
    .map(([name]) => ({ name, message: `is an unknown variable.${advice(name, known)}` }))
}

function unknownOptions(file: ConfigFile | undefined): ConfigProblem[] {
  if (!file) return []
  const known = settingsList.map(({ name }) => name)
  const groups = new Set(
    known.filter((name) => name.includes('.')).map((name) => name.split('.')[0]!),
  )
  const given = Object.entries(file.values).flatMap(([name, value]) =>
    groups.has(name) && isObject(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
  return given
    .filter((name) => !known.includes(name))
    .map((name) => ({
      name,
      message: groups.has(name)
        ? `must be an object in ${file.path}.`
        : `is an unknown option in ${file.path}.${advice(name, known)}`,
    }))
}

/** Suggests the closest known name. */
function advice(name: string, known: readonly string[]): string {
  const closest = findClosest(name, known)
  return closest === undefined ? ' Remove it.' : ` Did you mean ${closest}?`
}
