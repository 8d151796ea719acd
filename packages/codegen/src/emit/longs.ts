/*
 * Fields of type Long, by module and for all schemas. No JSON parser can replace them: 5 is a bigint
 * in a field of type Long and a number in one of type Int, and strings are sent as numbers only where
 * the gateway expects a Long. Modules name their own fields, so that a bundle contains those of the
 * schemas that it uses; only `execute`, which runs any document, imports the table of all schemas.
 */
import { isGraphqlName } from '@servicekit/core'
import type { Model, SchemaModel } from '../model.ts'
import type { FieldModel } from '../model-field.ts'
import { type LongFilter, type LongType, longScalar } from '../scalars.ts'
import type { EmittedFile } from './file.ts'
import { type Collectors, type PrintOptions, printModule, type ValueSource } from './source.ts'

/** Returns the model with the TypeScript types of Longs that the options select. */
export function withLongType(model: Model, long: LongType, longFilter: LongFilter): Model {
  if (long === 'number' && longFilter === 'number') return model
  const scalar = longScalar(long, longFilter)
  const fields = (schema: SchemaModel): readonly FieldModel[] =>
    schema.fields.map((field) => (field.scalar?.name === 'Long' ? { ...field, scalar } : field))
  return {
    ...model,
    schemas: model.schemas.map((schema) => ({ ...schema, fields: fields(schema) })),
  }
}

/** Returns the types whose rows contain a Long, or an object that does. */
export function typesWithLongs(schemas: readonly SchemaModel[]): ReadonlySet<string> {
  const found = new Set<string>()
  const containing = new Map<string, SchemaModel[]>()
  for (const schema of schemas) {
    if (schema.fields.some(({ scalar }) => scalar?.name === 'Long')) found.add(schema.type)
    for (const { object } of schema.fields) {
      if (object === undefined) continue
      containing.set(object.type, [...(containing.get(object.type) ?? []), schema])
    }
  }
  // Also visits the types that this loop adds.
  for (const type of found) for (const one of containing.get(type) ?? []) found.add(one.type)
  return found
}

/** Returns the fields of a schema that are of type Long, or objects that contain one. */
const longFields = (
  { fields }: SchemaModel,
  withLongs: ReadonlySet<string>,
): readonly FieldModel[] =>
  fields.filter(({ scalar, object }) =>
    object === undefined ? scalar?.name === 'Long' : withLongs.has(object.type),
  )

const key = (name: string): string => (name === '__proto__' ? `['__proto__']` : name)

/** Emits the fields of type Long of a schema, which the functions of its module read. */
export function emitLongs(
  schema: SchemaModel,
  withLongs: ReadonlySet<string>,
  { types, uses }: Collectors,
): readonly ValueSource[] {
  if (!withLongs.has(schema.type)) return []
  types.add('gateway-types', 'GatewayLongs')
  const members = longFields(schema, withLongs).map(({ name, object }) => {
    if (object === undefined) return `${key(name)}: true`
    if (object.type !== schema.type) uses.add(object.file, `${object.type}Longs`)
    return `${key(name)}: () => ${object.type}Longs`
  })
  return [
    {
      comment: `/** Fields of {@link ${schema.type}} that are of type Long. @internal */\n`,
      name: `${schema.type}Longs`,
      type: 'GatewayLongs',
      value: `{ ${members.join(', ')} }`,
    },
  ]
}

const parsers = {
  number: 'longsAsNumbers',
  bigint: 'longsAsBigints',
  string: 'longsAsStrings',
} as const

interface LongContext {
  readonly withLongs: ReadonlySet<string>
  readonly long: LongType
  readonly longFilter: LongFilter
}

/**
 * Returns the argument of a list that reads fields of type Long; empty for a schema without one,
 * whose bundle does not need the function.
 */
export function parserOf(
  { type }: SchemaModel,
  { withLongs, long }: LongContext,
  uses: Collectors['uses'],
): string {
  if (!withLongs.has(type)) return ''
  uses.add('gateway-long', parsers[long])
  return `, /* @__PURE__ */ ${parsers[long]}(${type}Longs)`
}

/**
 * Returns the expression of an operation, which sends strings as numbers if Longs are strings.
 *
 * @param takes What the arguments are: options of a list, an input, or a condition and an input.
 */
export function withLongArguments(
  { type }: SchemaModel,
  { withLongs, long, longFilter }: LongContext,
  uses: Collectors['uses'],
  takes: 'options' | 'input' | 'condition',
  operation: string,
): string {
  const call = `/* @__PURE__ */ ${operation}`
  const isText = longFilter === 'string'
  if (long !== 'string' || !withLongs.has(type) || (takes === 'options' && isText)) return call
  uses.add('gateway-long', 'sendingStrings')
  const longs = takes === 'options' ? `{ where: () => ${type}Longs }` : `${type}Longs`
  const unchanged = takes === 'condition' && isText ? ', 1' : ''
  return `/* @__PURE__ */ sendingStrings(${longs}, ${call}${unchanged})`
}

/** Emits `gateway-longs`: the Longs of all schemas, with which `execute` reads any document. */
export function emitLongsFile(
  { schemas }: Model,
  withLongs: ReadonlySet<string>,
  options: PrintOptions & Pick<LongContext, 'long' | 'longFilter'>,
): readonly EmittedFile[] {
  const names = new Map(schemas.map(({ type, name }) => [type, name]))
  const listed = schemas.filter(({ type, name }) => withLongs.has(type) && isGraphqlName(name))
  const text = (value: string | undefined): string => `'${value}'`
  const roots = listed.flatMap(({ list, name }) =>
    list === undefined ? [] : `\n  ${key(list.field)}: ${text(name)},`,
  )
  const members = listed.map((schema) => {
    const fields = longFields(schema, withLongs).map(
      ({ name, object }) => `${key(name)}: ${text(object ? names.get(object.type) : 'Long')}`,
    )
    return `\n  ${key(schema.name)}: { ${fields.join(', ')} },`
  })
  const table = (rows: readonly string[]): string =>
    rows.length === 0 ? '{}' : `{${rows.join('')}\n}`
  return printModule(
    {
      file: 'gateway-longs',
      types: '',
      values: [
        {
          comment: '/** Type of fields of type Long. @internal */\n',
          name: 'longType',
          type: `'number' | 'bigint' | 'string'`,
          value: text(options.long),
        },
        {
          comment: '/** Type of the values in conditions on such fields. @internal */\n',
          name: 'longFilter',
          type: `'number' | 'string'`,
          value: text(options.longFilter),
        },
        {
          comment: '/** Names of the schemas that queries list, by root field. @internal */\n',
          name: 'longRoots',
          type: '{ readonly [field: string]: string }',
          value: table(roots),
        },
        {
          comment:
            '/** Fields of type Long of each schema, and its objects that contain some. @internal */\n',
          name: 'longSchemas',
          type: '{ readonly [schema: string]: { readonly [field: string]: string } }',
          value: table(members),
        },
      ],
      typeImports: new Map(),
      valueImports: new Map(),
    },
    options,
  )
}
