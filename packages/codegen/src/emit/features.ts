import type { ResolvedOutputOptions } from '@servicekit/contract/output-options'
import type { SchemaModel } from '../model.ts'
import type { Relation } from '../relations.ts'
import type { FieldModel } from '../model-field.ts'
import { emitQueryOptions } from './query-options.ts'
import type { Collectors, ValueSource } from './source.ts'
import { emitValidators, member } from './validators.ts'
import { insertFields, isRequired } from './types.ts'

/** Type of the response to `updateMany` and `deleteMany`, which has `itemIds` or not. */
export type BulkResponse = ResolvedOutputOptions['bulkResponse']

/** Optional features in addition to the operations. */
export type FeatureOptions = Pick<
  ResolvedOutputOptions,
  'documents' | 'queryOptions' | 'validators' | 'factories'
>

interface FeatureContext extends FeatureOptions {
  readonly bulkResponse: BulkResponse
  readonly relations: readonly Relation[]
}

/** Emits the parts of a schema's module for the enabled features. */
export function emitFeatures(
  schema: SchemaModel,
  { queryOptions, validators, factories, relations, bulkResponse }: FeatureContext,
  collectors: Collectors,
): readonly ValueSource[] {
  return [
    ...(queryOptions !== false ? emitQueryOptions(schema, bulkResponse, collectors) : []),
    ...(validators ? emitValidators(schema, collectors) : []),
    ...(factories ? emitFactories(schema, relations, collectors) : []),
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
