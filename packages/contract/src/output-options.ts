/**
 * Options of the data access that `servicekit codegen` generates. Each is declared once, here: the
 * types, the checks and defaults of the generator, the section `gateway` of the config file and the
 * reference of options follow from this table.
 *
 * @module output-options
 */
import { formatChoice, isObject } from '@servicekit/core'

/** Option of the output. */
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

const importExtension: OutputOption<string> = {
  byDefault: '.js',
  expected: "'.js', '.ts' or ''",
  isValid: (value) => typeof value === 'string' && /^(?:\.[a-z]+)?$/.test(value),
}

const queryOptions: OutputOption<boolean | `@tanstack/${string}`> = {
  byDefault: false,
  expected: "true, false or a package such as '@tanstack/react-query'",
  isValid: (value) =>
    typeof value === 'boolean' || (typeof value === 'string' && /^@tanstack\/[a-z-]+$/.test(value)),
}

const relations: OutputOption<Readonly<Record<string, string | false>>> = {
  byDefault: {},
  expected: 'an object',
  isValid: isObject,
}

const lookups: OutputOption<boolean | Readonly<Record<string, readonly string[]>>> = {
  byDefault: false,
  expected: 'true, false or an object',
  isValid: (value) => typeof value === 'boolean' || isObject(value),
}

export const outputOptions = {
  /**
   * Name of the executable query: `Products` for `as-given`, `getProducts` for `get-prefix`.
   * Default: that of the preset.
   */
  queryNaming: oneOf('as-given', 'get-prefix'),
  /** File extension in imports between generated files. */
  importExtension,
  /**
   * Output language. `js` writes JavaScript with declarations: it takes half the time to type-check,
   * and Node runs it directly; `tsc` does not copy it to its `outDir`.
   */
  output: oneOf('ts', 'js'),
  /** Format of documents: strings, or syntax trees (`node`) as required by Apollo Client. */
  documents: oneOf('string', 'node'),
  /**
   * Generates options of all operations for TanStack Query and SWR: `listProductsOptions`,
   * `updateProductOptions`. The name of a package, such as `@tanstack/react-query`, also types
   * `getQueryData(queryKey)`.
   */
  queryOptions,
  /**
   * Generates Standard Schema validators: `ProductInsertSchema`, `ProductUpdateSchema`, and
   * `ProductSchema` for rows.
   */
  validators: flag,
  /**
   * Generates a factory of test data for each schema: `makeProduct`, `makeProductInsertInput`, and
   * `makeProduct.many(20)`.
   */
  factories: flag,
  /**
   * Writes `diagram.md`, an entity-relationship diagram of the schemas for Mermaid, which
   * GitHub and GitLab show.
   */
  diagram: flag,
  /**
   * Writes `gateway.labels.json`, the keys of schema and field labels to translate, and exports
   * these keys from each module: `ProductLabels.Name`.
   */
  labels: flag,
  /**
   * Schemas that fields refer to: `{ 'Category.ParentId': 'Category' }`. A field `CategoryId`
   * of type String or ID refers to the schema `Category` unless stated as `false`.
   */
  relations,
  /**
   * Generates pick lists, labels and batched loads: `pickCategories`, `labelCategory`,
   * `loadCategory`, `ProductReferences`. An object names the fields of labels:
   * `{ Customer: ['FirstName', 'LastName'] }`.
   */
  lookups,
  /**
   * Type of fields of type Long, which have 64 bits. With `number`, a value beyond 2^53 - 1 in a
   * response is an error `LONG_ROUNDED`. With `bigint` or `string` every value is exact.
   */
  long: oneOf('number', 'bigint', 'string'),
  /**
   * Values in conditions on fields of type Long: `string` where the gateway filters them by
   * `StringOperationFilterInput`. Default: that of the preset.
   */
  longFilter: oneOf('number', 'string'),
  /**
   * Response to `updateMany` and `deleteMany`: `ActionResponse` where the gateway returns no
   * `itemIds`. Default: that of the preset.
   */
  bulkResponse: oneOf('BulkActionResponse', 'ActionResponse'),
  /**
   * Bulk mutations to generate: `always` where the gateway executes `insertManyProduct` and others
   * without naming them in the listing. Default: that of the preset.
   */
  bulkMutations: oneOf('listed', 'always'),
  /**
   * Generates conditions on the fields of nested objects, where the gateway supports them:
   * `{ Home: { City: { eq: 'Basel' } } }`.
   */
  nestedFilters: flag,
}

type Values = {
  readonly [Name in keyof typeof outputOptions]: (typeof outputOptions)[Name]['byDefault']
}

/** Options of the output, as a user writes them. */
export type OutputOptions = { readonly [Name in keyof Values]?: Values[Name] | undefined }

/** Options of the output with their defaults. */
export type ResolvedOutputOptions = Values

export const outputOptionNames = Object.keys(outputOptions) as readonly (keyof OutputOptions)[]
