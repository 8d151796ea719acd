import type { SchemaModel } from '../model.ts'
import type { Relation } from '../relations.ts'
import type { FieldModel } from '../model-field.ts'
import { emitQueryOptions } from './query-options.ts'
import type { Collectors, ValueSource } from './source.ts'
import { insertFields, isRequired } from './types.ts'

/** `true`, or the package whose types query keys have. */
export type QueryOptionsKind = boolean | `@tanstack/${string}`

/** Optional features in addition to the operations. */
export interface FeatureOptions {
  /**
   * Format of documents: strings, or syntax trees (`TypedDocumentNode`) as required by
   * Apollo Client.
   */
  readonly documents: 'string' | 'node'
  /**
   * Generates options of all operations for TanStack Query and SWR. The name of a package, such
   * as `@tanstack/react-query`, also types `getQueryData(queryKey)`.
   */
  readonly queryOptions: QueryOptionsKind
  /** Generates a Standard Schema validator for each insert input. */
  readonly validators: boolean
  /** Generates a factory of test data for each schema. */
  readonly factories: boolean
}

interface FeatureContext extends FeatureOptions {
  readonly relations: readonly Relation[]
}

/** Emits the parts of a schema's module for the enabled features. */
export function emitFeatures(
  schema: SchemaModel,
  { queryOptions, validators, factories, relations }: FeatureContext,
  collectors: Collectors,
): readonly ValueSource[] {
  return [
    ...(queryOptions !== false ? emitQueryOptions(schema, collectors) : []),
    ...(validators ? emitValidator(schema, collectors) : []),
    ...(factories ? emitFactories(schema, relations, collectors) : []),
  ]
}

function emitValidator(schema: SchemaModel, { types, uses }: Collectors): readonly ValueSource[] {
  const { type } = schema
  types.add('gateway-validate', 'StandardSchema')
  uses.add('gateway-validate', 'validator')
  const members = insertFields(schema).map((field) => {
    const end = isRequired(field) ? '!' : ''
    return member(field, end, (object) => `${object.type}InsertSchema`, schema, uses)
  })
  return [
    {
      comment: `/** Standard Schema validator of {@link ${type}InsertInput}. */\n`,
      name: `${type}InsertSchema`,
      type: `StandardSchema<${type}InsertInput>`,
      value: `/* @__PURE__ */ validator({${members.join(',')}\n})`,
    },
  ]
}

function emitFactories(
  schema: SchemaModel,
  relations: readonly Relation[],
  { types, uses }: Collectors,
): readonly ValueSource[] {
  const { type } = schema
  const references = new Set(relations.flatMap(({ field }) => (field.scalar ? [field] : [])))
  types.add('gateway-factory', 'GatewayFactory')
  uses.add('gateway-factory', 'factory')
  const members = (
    fields: readonly FieldModel[],
    suffix: string,
    end: (field: FieldModel) => string,
  ): string =>
    fields
      .map((field) => {
        const one = references.has(field) ? { ...field, type: 'Reference' } : field
        return member(one, end(field), (object) => `make${object.type}${suffix}`, schema, uses)
      })
      .join(',')
  const rows = schema.fields.filter(({ scalar, object }) => scalar ?? object)
  const inserts = insertFields(schema)
  return [
    {
      comment: `/** Creates one ${type} for tests; the same seed gives the same data: \`make${type}({ … }, 2)\`. */\n`,
      name: `make${type}`,
      type: `GatewayFactory<${type}>`,
      value: `/* @__PURE__ */ factory('${type}', {${members(rows, '', () => '!')}\n})`,
    },
    {
      comment: `/** Creates the input of an insert of one ${type}, for tests. */\n`,
      name: `make${type}InsertInput`,
      type: `GatewayFactory<${type}InsertInput>`,
      value: `/* @__PURE__ */ factory('${type}', {${members(inserts, 'InsertInput', (field) => (isRequired(field) ? '!' : ''))}\n})`,
    },
  ]
}

/**
 * Returns a member of a specification: `Name: 'String!'`, `Tags: '[String]'`, and for
 * nested objects `Lines: ['[]!', () => OrderLineInsertSchema]`. The latter is a function
 * because modules may import each other.
 */
function member(
  { name, type, isArray, scalar, object }: FieldModel,
  end: string,
  valueOf: (object: { readonly type: string }) => string,
  schema: SchemaModel,
  uses: Collectors['uses'],
): string {
  const key = name === '__proto__' ? `['__proto__']` : name
  if (object === undefined) {
    const known = scalar === undefined ? 'unknown' : type
    return `\n  ${key}: '${isArray ? `[${known}]` : known}${end}'`
  }
  const value = valueOf(object)
  if (object.type !== schema.type) uses.add(object.file, value)
  return `\n  ${key}: ['${isArray ? '[]' : ''}${end}', () => ${value}]`
}
