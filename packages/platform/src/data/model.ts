import { type data as wire, SchemaType } from '@servicekit/contract'
import type { Problem } from '../projects/problem.ts'
import { type AccessLevels, accessLevelsOf } from './access-levels.ts'
import { type SystemField, systemField, systemFields } from './system-fields.ts'
import { reservedTypeNames } from './type-names.ts'

/** Field of an entity or of a nested object. */
export interface FieldModel {
  readonly name: string
  /** Name of a scalar, `JSON` if the type is not described; absent for an object. */
  readonly scalar?: string
  /** Name of the object type; absent for a scalar. */
  readonly object?: string
  readonly isArray: boolean
  readonly isRequiredOnInsert: boolean
  readonly isRequiredOnUpdate: boolean
  readonly description: string
  readonly access: AccessLevels
  /** Storage of a system field; absent for other fields. */
  readonly system?: SystemField
}

/** Kind of mutation, on one record or many. */
export type MutationKind =
  | 'insert'
  | 'update'
  | 'delete'
  | 'insertMany'
  | 'updateMany'
  | 'deleteMany'

/** Entity or nested object, with the names of its operations. */
export interface TypeModel {
  readonly name: string
  readonly fields: readonly FieldModel[]
  readonly access: AccessLevels
  /** Query field; absent for a nested object. */
  readonly query?: string
  /** Mutation fields; absent for a nested object, and if a name is invalid or taken. */
  readonly mutations: Readonly<Partial<Record<MutationKind, string>>>
}

/**
 * Data schemas of a project, as far as GraphQL can express them. Fields are read on first
 * access.
 */
export interface DataModel {
  readonly types: ReadonlyMap<string, TypeModel>
  /** Problems in the definitions. Accessing them reads all definitions. */
  readonly problems: readonly Problem[]
}

/** Result of reading a definition, with its dependencies. */
interface ReadFields {
  readonly fields: readonly FieldModel[]
  readonly problems: readonly Problem[]
  /** Referenced types that are not scalars, and whether a schema of that name existed. */
  readonly references: ReadonlyMap<string, boolean>
}

/** Cache of the fields read from a definition, by identity. */
export type ReadMemo = WeakMap<wire.DataSchema, ReadFields>

export const readMemo = (): ReadMemo => new WeakMap()

const scalarNames = ['String', 'ID', 'Int', 'Float', 'Long', 'Boolean', 'DateTime', 'GeoJson']
const byLowerCase = new Map(scalarNames.map((name) => [name.toLowerCase(), name]))

/** GraphQL reserves names with two leading underscores. */
const isName = (name: string): boolean => /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(name)

/**
 * Builds a model from schema definitions. Parts that GraphQL cannot express, such as a
 * name with a space, are skipped and listed in `problems`; this never throws.
 */
export function buildModel(
  definitions: readonly wire.DataSchema[],
  queryNaming: 'asGiven' | 'get' = 'asGiven',
  memo: ReadMemo = readMemo(),
): DataModel {
  /** Problems of the whole list, followed by those of each definition. */
  const problems: (readonly Problem[] | (() => readonly Problem[]))[] = []
  let current: Problem[] = []
  const types = new Map<string, TypeModel>()
  const taken = new Set(reservedTypeNames)
  const operations = new Set<string>()
  const skip = (schema: string, message: string, member?: string): void => {
    const code = member === undefined ? 'SCHEMA_SKIPPED' : 'FIELD_SKIPPED'
    current.push({ code, schema, message, ...(member === undefined ? {} : { member }) })
  }
  const claim = (name: string): boolean => {
    const names = [
      name,
      ...['Result', 'FilterInput', 'InsertInput', 'UpdateInput', 'DeleteInput'].map(
        (suffix) => name + suffix,
      ),
    ]
    if (!isName(name) || names.some((one) => taken.has(one))) return false
    for (const one of names) taken.add(one)
    return true
  }
  const operation = (schema: string, name: string): string | undefined => {
    if (isName(name) && !operations.has(name)) {
      operations.add(name)
      return name
    }
    skip(schema, `The operation ${JSON.stringify(name)} has no legal name, or one that is taken.`)
    return undefined
  }

  /**
   * Returns the mutation names of a definition. Reports given names that are invalid or
   * taken; skips generated names silently, except for inserts.
   */
  const mutationNames = (definition: wire.DataSchema): TypeModel['mutations'] =>
    Object.fromEntries(
      namesOf(definition).flatMap(([kind, name, isGiven]) => {
        const isOurs = !isGiven && kind !== 'insert'
        if (isOurs && (!isName(name) || operations.has(name))) return []
        const known = operation(definition.schemaName, name)
        return known === undefined ? [] : [[kind, known]]
      }),
    )

  const listed = definitions.filter((definition) => {
    if (claim(definition.schemaName)) return true
    skip(definition.schemaName, 'Its name is no GraphQL name, or is taken.')
    return false
  })
  const known = new Set(listed.map(({ schemaName }) => schemaName))

  const readFields = (schema: string, given: readonly wire.SchemaField[], isEntity: boolean) => {
    const fields = new Map<string, FieldModel>()
    if (isEntity) for (const system of systemFields) fields.set(system.name, systemModel(system))
    for (const field of given) {
      if (isEntity && systemField(field.name)) {
        fields.set(field.name, {
          ...fields.get(field.name)!,
          description: field.description ?? '',
          access: accessLevelsOf(field),
        })
      } else if (!isName(field.name)) {
        skip(schema, 'Its name is no GraphQL name.', field.name)
      } else if (!fields.has(field.name)) {
        fields.set(field.name, readField(schema, field))
      }
    }
    return [...fields.values()]
  }

  const readField = (schema: string, field: wire.SchemaField): FieldModel => {
    const base = {
      name: field.name,
      isArray: field.isArray ?? false,
      isRequiredOnInsert: field.requiredOn === 'Insert' || field.requiredOn === 'Both',
      isRequiredOnUpdate: field.requiredOn === 'Update' || field.requiredOn === 'Both',
      description: field.description ?? '',
      access: accessLevelsOf(field),
    }
    const type = field.type ?? ''
    const scalar = byLowerCase.get(type.toLowerCase())
    if (known.has(type)) return { ...base, object: type }
    if (scalar) return { ...base, scalar }
    const inline = field.fields ?? []
    const name = [type, `${schema}_${field.name}`].find((candidate) => claim(candidate))
    if (inline.length === 0 || name === undefined) return { ...base, scalar: 'JSON' }
    types.set(name, {
      name,
      fields: readFields(name, inline, false),
      mutations: {},
      access: accessLevelsOf({}),
    })
    return { ...base, object: name }
  }

  const isKnownScalar = ({ type }: wire.SchemaField): boolean =>
    byLowerCase.has((type ?? '').toLowerCase())
  /**
   * Returns true if a definition contains inline types. These claim names, so they must
   * be read in order.
   */
  const describesTypes = ({ fields }: wire.DataSchema): boolean =>
    (fields ?? []).some(
      (field) =>
        (field.fields?.length ?? 0) > 0 && !known.has(field.type ?? '') && !isKnownScalar(field),
    )

  const read = (definition: wire.DataSchema): ReadFields => {
    const remembered = memo.get(definition)
    if (remembered && [...remembered.references].every(([name, is]) => known.has(name) === is)) {
      return remembered
    }
    const outer = current
    current = []
    const given = definition.fields ?? []
    const isEntity = definition.schemaType !== SchemaType.Nested
    const fields = readFields(definition.schemaName, given, isEntity)
    const references = new Map(
      given
        .filter((field) => !isKnownScalar(field))
        .map(({ type }) => [type ?? '', known.has(type ?? '')]),
    )
    const found = { fields, problems: current, references }
    current = outer
    if (!describesTypes(definition)) memo.set(definition, found)
    return found
  }

  problems.push(current)
  for (const definition of listed) {
    const name = definition.schemaName
    const isEntity = definition.schemaType !== SchemaType.Nested
    let found = describesTypes(definition) ? read(definition) : undefined
    const readOnce = (): ReadFields => (found ??= read(definition))
    problems.push(() => readOnce().problems)
    current = []
    problems.push(current)
    const query = isEntity ? queryName(definition, queryNaming) : undefined
    const queryField = query === undefined ? undefined : operation(name, query)
    types.set(name, {
      name,
      get fields() {
        return readOnce().fields
      },
      access: accessLevelsOf(definition),
      ...(queryField === undefined ? {} : { query: queryField }),
      mutations: isEntity ? mutationNames(definition) : {},
    })
  }
  return {
    types,
    get problems() {
      return problems.flatMap((some) => (typeof some === 'function' ? some() : some))
    },
  }
}

const systemModel = (system: SystemField): FieldModel => ({
  name: system.name,
  scalar: system.type,
  isArray: system.isArray,
  isRequiredOnInsert: false,
  isRequiredOnUpdate: false,
  description: '',
  access: accessLevelsOf({}),
  system,
})

function queryName({ querySchema }: wire.DataSchema, naming: 'asGiven' | 'get') {
  if (!querySchema) return undefined
  return naming === 'get' ? `get${querySchema}` : querySchema
}

const kinds: readonly MutationKind[] = [
  'insert',
  'insertMany',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
]

/**
 * Returns the first given mutation name that begins with its kind, otherwise the kind and
 * the schema's name. For inserts that is rule 4 of section 4.5; the other kinds follow
 * it.
 */
function namesOf({ mutationSchemas, schemaName }: wire.DataSchema) {
  const given = (mutationSchemas ?? []).map((entry) =>
    typeof entry === 'string' ? entry : entry.name,
  )
  const used = new Set<string>()
  return kinds.map((kind) => {
    const isMany = (name: string): boolean => /^(insert|update|delete)Many/.test(name)
    const found = given.find(
      (name) =>
        name.startsWith(kind) &&
        !used.has(name) &&
        (kind === 'insert' || isMany(name) === isMany(kind)),
    )
    const name = found ?? `${kind}${schemaName}`
    used.add(name)
    return [kind, name, found !== undefined] as const
  })
}
