import type { GatewayShape } from '@servicekit/contract/service'
import { formatChoice, invalidValue, isObject } from '@servicekit/core'
import type { BulkResponse, QueryOptionsKind } from './emit/features.ts'
import type { OutputKind } from './emit/source.ts'
import type { LookupOptions } from './lookups.ts'
import type { BulkMutations, QueryNaming } from './model.ts'
import type { RelationOptions } from './relations.ts'
import type { LongFilter, LongType } from './scalars.ts'
import { invalid } from './resolve-source.ts'

/** Options that determine the output, of `generate` and of the preset. */
export interface OutputOptions {
  /**
   * Name of the executable query: `Products` for `as-given`, `getProducts` for `get-prefix`.
   * Default: that of the preset.
   */
  readonly queryNaming?: QueryNaming | undefined
  /** File extension in imports between generated files; `.js` by default. */
  readonly importExtension?: string | undefined
  /**
   * Output language; `ts` by default. `js` writes JavaScript with declarations, which
   * TypeScript does not have to check.
   */
  readonly output?: OutputKind | undefined
  /**
   * Format of documents: strings (default), or syntax trees (`node`) as required by
   * Apollo Client.
   */
  readonly documents?: 'string' | 'node' | undefined
  /**
   * Generates options of all operations for TanStack Query and SWR. The name of a package, such
   * as `@tanstack/react-query`, also types `getQueryData(queryKey)`.
   */
  readonly queryOptions?: QueryOptionsKind | undefined
  /** Generates Standard Schema validators of inserts, updates and rows. */
  readonly validators?: boolean | undefined
  /** Generates a factory of test data for each schema. */
  readonly factories?: boolean | undefined
  /**
   * Writes `diagram.md`, an entity-relationship diagram of the schemas for Mermaid, which
   * GitHub and GitLab show.
   */
  readonly diagram?: boolean | undefined
  /**
   * Writes `gateway.labels.json`, the keys of schema and field labels to translate, and exports
   * these keys from each module: `ProductLabels.Name`.
   */
  readonly labels?: boolean | undefined
  /**
   * Schemas that fields refer to: `{ 'Category.ParentId': 'Category' }`. A field `CategoryId`
   * of type String or ID refers to the schema `Category` unless stated as `false`.
   */
  readonly relations?: RelationOptions | undefined
  /**
   * Generates pick lists, labels and batched loads: `pickCategories`, `labelCategory`,
   * `loadCategory`, `ProductReferences`. An object names the fields of labels:
   * `{ Customer: ['FirstName', 'LastName'] }`.
   */
  readonly lookups?: LookupOptions | undefined
  /**
   * Type of fields of type Long, which have 64 bits. With `number`, which is the default, a value
   * beyond 2^53 - 1 in a response is an error `LONG_ROUNDED`. With `bigint` or `string` every value
   * is exact.
   */
  readonly long?: LongType | undefined
  /**
   * Values in conditions on fields of type Long: `number` (default), or `string` where the gateway
   * filters them by `StringOperationFilterInput`.
   */
  readonly longFilter?: LongFilter | undefined
  /**
   * Response to `updateMany` and `deleteMany`: `BulkActionResponse` (default), or `ActionResponse`
   * where the gateway returns no `itemIds`.
   */
  readonly bulkResponse?: BulkResponse | undefined
  /**
   * Bulk mutations to generate: `listed` (default), or `always` where the gateway executes
   * `insertManyProduct` and others without naming them in the listing.
   */
  readonly bulkMutations?: BulkMutations | undefined
  /**
   * Generates conditions on the fields of nested objects, where the gateway supports them:
   * `{ Home: { City: { eq: 'Basel' } } }`.
   */
  readonly nestedFilters?: boolean | undefined
}

/** Options of the output with their defaults. */
export type ResolvedOutputOptions = {
  readonly [Name in keyof OutputOptions]-?: NonNullable<OutputOptions[Name]>
}

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

/** Default and check of each option of the output. */
const outputOptions: {
  readonly [Name in keyof OutputOptions]-?: OutputOption<ResolvedOutputOptions[Name]>
} = {
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
}

export const outputOptionNames = Object.keys(outputOptions) as readonly (keyof OutputOptions)[]

/**
 * Validates the options of the output and adds defaults.
 *
 * @param shape Defaults of the preset.
 * @throws CodegenError CONFIG_INVALID
 */
export function readOutputOptions(
  options: OutputOptions,
  shape: Partial<GatewayShape> = {},
): ResolvedOutputOptions {
  const values: Partial<Record<keyof OutputOptions, unknown>> = options
  const defaults: Partial<Record<keyof OutputOptions, unknown>> = shape
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
