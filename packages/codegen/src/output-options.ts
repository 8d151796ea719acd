import type { GatewayShape } from '@servicekit/contract/service'
import { formatChoice, invalidValue, isObject } from '@servicekit/core'
import type { GenerateOptions } from './options.ts'
import { invalid } from './resolve-source.ts'

/** Option of the output: its default, and the values that it may have. */
interface OutputOption<Value> {
  readonly byDefault: Value
  /** Completes the sentence `output must be …`. */
  readonly expected: string
  readonly isValid: (value: unknown) => boolean
}

/** Returns an option with these values, the first of which is the default. */
const oneOf = <const Value>(...values: readonly [Value, ...Value[]]): OutputOption<Value> => ({
  byDefault: values[0],
  expected: formatChoice(values),
  isValid: (value) => values.includes(value as Value),
})

const flag: OutputOption<boolean> = {
  byDefault: false,
  expected: 'true or false',
  isValid: (value) => typeof value === 'boolean',
}

type Given<Name extends keyof GenerateOptions> = NonNullable<GenerateOptions[Name]>

/** Options that determine the output of `generate` and of the preset, with their defaults and checks. */
const outputOptions = {
  queryNaming: oneOf('as-given', 'get-prefix'),
  bulkMutations: oneOf('listed', 'always'),
  bulkResponse: oneOf('BulkActionResponse', 'ActionResponse'),
  longFilter: oneOf('number', 'string'),
  nestedFilters: flag,
  importExtension: {
    byDefault: '.js',
    expected: "'.js', '.ts' or ''",
    isValid: (value) => typeof value === 'string' && /^(?:\.[a-z]+)?$/.test(value),
  },
  output: oneOf('ts', 'js'),
  documents: oneOf('string', 'node'),
  queryOptions: {
    byDefault: false,
    expected: "true, false or a package such as '@tanstack/react-query'",
    isValid: (value) => typeof value === 'boolean' || /^@tanstack\/[a-z-]+$/.test(String(value)),
  },
  validators: flag,
  factories: flag,
  diagram: flag,
  labels: flag,
  relations: { byDefault: {}, expected: 'an object', isValid: isObject },
  lookups: {
    byDefault: false,
    expected: 'true, false or an object',
    isValid: (value) => typeof value === 'boolean' || isObject(value),
  },
  long: oneOf('number', 'bigint', 'string'),
} as const satisfies { readonly [Name in keyof GenerateOptions]?: OutputOption<Given<Name>> }

export type OutputOptionName = keyof typeof outputOptions

export const outputOptionNames = Object.keys(outputOptions) as readonly OutputOptionName[]

/** Options of the output with their defaults. */
export type ResolvedOutputOptions = { readonly [Name in OutputOptionName]: Given<Name> }

/**
 * Validates the options of the output and adds defaults.
 *
 * @param shape Defaults of the preset.
 * @throws CodegenError CONFIG_INVALID
 */
export function readOutputOptions(
  options: Pick<GenerateOptions, OutputOptionName>,
  shape: Partial<GatewayShape> = {},
): ResolvedOutputOptions {
  const values: Partial<Record<OutputOptionName, unknown>> = options
  const defaults: Partial<Record<OutputOptionName, unknown>> = shape
  const read = outputOptionNames.map((name) => {
    const { byDefault, expected, isValid } = outputOptions[name] as OutputOption<unknown>
    const { [name]: value = defaults[name] ?? byDefault } = values
    if (!isValid(value)) throw invalid(invalidValue(name, expected, value))
    return [name, value]
  })
  return Object.fromEntries(read) as ResolvedOutputOptions
}

/** Defaults without a preset. */
export const defaultOutputOptions: ResolvedOutputOptions = readOutputOptions({})
