import { formatRange, headerSecretProblem, secretProblem } from '@servicekit/core'
import { parseOrigin } from '@servicekit/contract/control'
import { z } from 'zod'

/** Kind of a setting, which decides how the text of a flag or variable is read. */
export type SettingKind = 'text' | 'integer' | 'boolean' | 'list' | 'json'

/** Facts about a setting that its schema does not contain. */
export interface SettingFacts {
  readonly kind: SettingKind
  /** One sentence, for `--help` and the table in the documentation. */
  readonly description: string
  /** Placeholder of the value in `--help`. */
  readonly hint?: string
  /** True for values that are never printed, and can be read from a file. */
  readonly isSecret?: true
  /** Variable that is read as well, because hosts and other tools set it. */
  readonly alias?: string
  /** Default that is not a constant, for the documentation. */
  readonly defaultText?: string
}

const facts = z.registry<SettingFacts>()

/** Returns the facts about a setting; undefined for a group of settings. */
export const factsOf = (schema: z.ZodType): SettingFacts | undefined => facts.get(schema)

type Rest = Omit<SettingFacts, 'kind' | 'description'>

const settingOf =
  (kind: SettingKind) =>
  <S extends z.ZodType>(schema: S, description: string, rest: Rest = {}): S => {
    facts.add(schema, { kind, description, ...rest })
    return schema
  }

/** Declares settings: schema, description and other facts. */
export const setting = {
  text: settingOf('text'),
  integer: settingOf('integer'),
  boolean: settingOf('boolean'),
  list: settingOf('list'),
  json: settingOf('json'),
}

/** Prints a rejected value, as `"abc"`. Not for secrets. */
const received = (input: unknown): string => `(received ${JSON.stringify(input)})`

/** Schema of integers between two limits. */
export const integer = (min: number, max?: number) =>
  z.custom<number>(
    (value) =>
      Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= (max ?? Infinity),
    {
      error: ({ input }) => `must be ${formatRange(min, max)} ${received(input)}`,
    },
  )

export const boolean = () =>
  z.boolean({ error: ({ input }) => `must be true or false ${received(input)}` })

/** Schema of strings that are not blank. Its message does not contain the value. */
export const text = () =>
  z
    .string({ error: 'must be a string' })
    .min(1, { error: 'must not be empty', abort: true })
    .refine((value) => value.trim() !== '', { error: 'must not be blank' })

/** Schema of secrets that the operator chooses. Its message does not contain the value. */
const secret = (minLength: number) =>
  z.string({ error: 'must be a string' }).superRefine((value, { addIssue }) => {
    const problem = secretProblem(value, minLength)
    if (problem !== undefined) addIssue({ code: 'custom', message: problem })
  })

/** Schema of secrets that the operator chooses and a header carries. */
export const headerSecret = (minLength: number) =>
  secret(minLength).superRefine((value, { addIssue }) => {
    const problem = headerSecretProblem(value)
    if (problem !== undefined) addIssue({ code: 'custom', message: problem })
  })

export const choice = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, {
    error: ({ input }) => `must be one of ${values.join(', ')} ${received(input)}`,
  })

/** Schema of URLs with one of the schemes. Its message does not contain the value. */
export const url = (example: string, ...schemes: readonly string[]) =>
  text().refine(
    (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)),
    { error: `must be a URL such as ${example}` },
  )

/** Schema of origins: http or https, without path. */
export const origin = (example: string) =>
  text()
    .refine((value) => parseOrigin(value) !== undefined, {
      error: ({ input }) => `must be an origin such as ${example} ${received(input)}`,
    })
    .overwrite((value) => parseOrigin(value) ?? value)
