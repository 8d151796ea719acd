import { isObject } from '@servicekit/core'
import { z } from 'zod'
import { Settings } from './settings.ts'
import { factsOf, type SettingFacts } from './values.ts'

/** Setting with its names in the config file, the environment and on the command line. */
export interface Setting extends SettingFacts {
  /** Path in the config file, such as `storage.bucket`. */
  readonly name: string
  /** Environment variable, such as `SERVICEKIT_STORAGE_BUCKET`. */
  readonly variable: string
  /** Flag without dashes, such as `storage-bucket`; of a secret, that of a file with its value. */
  readonly flag: string
  readonly schema: z.ZodType
  readonly defaultValue: unknown
}

/** Settings of the declaration, in its order. */
export const settingsList: readonly Setting[] = Object.entries(Settings.shape).flatMap(
  ([name, schema]) =>
    schema instanceof z.ZodObject ? groupOf(name, schema) : settingOf(name, schema),
)

function groupOf(group: string, { shape }: z.ZodObject): readonly Setting[] {
  return Object.entries(shape).map(([name, schema]) =>
    settingOf(`${group}.${name}`, schema as z.ZodType),
  )
}

function settingOf(name: string, schema: z.ZodType): Setting {
  const facts = factsOf(schema)
  if (!facts) throw new TypeError(`Setting ${name} has no description`)
  const words = name.replaceAll(/([A-Z])/g, ' $1').split(/[ .]/)
  const flag = words.join('-').toLowerCase()
  return {
    ...facts,
    name,
    schema,
    variable: `SERVICEKIT_${words.join('_').toUpperCase()}`,
    flag: facts.isSecret ? `${flag}-file` : flag,
    defaultValue: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined,
  }
}

/** Returns the value of a setting in a configuration; undefined if it is absent. */
export function valueIn(values: object, name: string): unknown {
  const [first, second] = name.split('.') as [string, string?]
  const value = (values as Readonly<Record<string, unknown>>)[first]
  return second === undefined ? value : isObject(value) ? value[second] : undefined
}

/** Variable that contains the path of a file with the value of a secret. */
export const fileVariableOf = ({ variable }: Pick<Setting, 'variable'>): string =>
  `${variable}_FILE`
