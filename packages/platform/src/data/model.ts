import { type data as wire, SchemaType } from '@servicekit/contract'
import {
  isGraphqlName,
  type MutationKind,
  mutationKinds,
  mutationNames,
  once,
} from '@servicekit/core'
import type { Problem } from '../project-source.ts'
import { type AccessLevels, accessLevelsOf } from './access-levels.ts'
import { type SystemField, systemField, systemFields } from './system-fields.ts'

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

/** Data schemas of a project, as far as GraphQL can express them. */
export interface DataModel {
  readonly types: ReadonlyMap<string, TypeModel>
  /** Accessing them reads all fields, which takes 50 ms for a thousand schemas. */
  readonly problems: readonly Problem[]
}

/** Scalars that a data schema may name, in any case. */
const scalars = ['String', 'ID', 'Int', 'Float', 'Long', 'Boolean', 'DateTime', 'GeoJson'] as const

/** Suffixes of the types that the gateway derives from a data schema. */
const typeSuffixes = ['Result', 'FilterInput', 'InsertInput', 'UpdateInput', 'DeleteInput'] as const

/** Type names of the gateway's own schema, which data schemas may not use. */
const reservedTypeNames: readonly string[] = [
  ...scalars,
  'JSON',
  'Query',
  'Mutation',
  'Subscription',
  'ActionResponse',
  'BulkActionResponse',
  'PaginationInput',
  'DynamicQueryInput',
  'DynamicSortInput',
  'SortDirection',
  ...['String', 'Int', 'Long', 'Number', 'Boolean', 'DateTime'].map(
    (kind) => `${kind}OperationFilterInput`,
  ),
]

const scalarsByLowerCase = new Map(scalars.map((name) => [name.toLowerCase(), name]))

/**
 * Builds a model from schema definitions. Parts that GraphQL cannot express, such as a
 * name with a space, are skipped and listed in `problems`; this never throws.
 */
export function buildModel(
  definitions: readonly wire.DataSchema[],
  queryNaming: 'asGiven' | 'get' = 'asGiven',
): DataModel {
  const types = new Map<string, TypeModel>()
  const problems: Problem[] = []
  const readers: (() => readonly FieldModel[])[] = []
  const takenTypes = new Set(reservedTypeNames)
  const takenOperations = new Set<string>()

  /** Reserves a name, and those of the types derived from it. */
  const claimType = (name: string): boolean => {
    const names = ['', ...typeSuffixes].map((suffix) => name + suffix)
    if (!isGraphqlName(name) || names.some((one) => takenTypes.has(one))) return false
    for (const one of names) takenTypes.add(one)
    return true
  }
  const isFree = (operation: string): boolean =>
    isGraphqlName(operation) && !takenOperations.has(operation)
  const claimOperation = (schema: string, name: string): string | undefined => {
    if (isFree(name)) {
      takenOperations.add(name)
      return name
    }
    const message = `The operation name ${JSON.stringify(name)} is invalid or already used.`
    problems.push({ code: 'SCHEMA_SKIPPED', schema, message })
    return undefined
  }

  const listed = definitions.filter(({ schemaName }) => {
    if (claimType(schemaName)) return true
    const message = 'Its name is not a valid GraphQL name, or is already used.'
    problems.push({ code: 'SCHEMA_SKIPPED', schema: schemaName, message })
    return false
  })
  const listedNames = new Set(listed.map(({ schemaName }) => schemaName))

  const readField = (schema: string, field: wire.SchemaField): FieldModel => {
    const base = baseOf(field)
    const type = field.type ?? ''
    const scalar = scalarsByLowerCase.get(type.toLowerCase())
    if (listedNames.has(type)) return { ...base, object: type }
    if (scalar) return { ...base, scalar }
    const inline = field.fields ?? []
    if (inline.length === 0) return { ...base, scalar: 'JSON' }
    const name = [type, `${schema}_${field.name}`].find(claimType)
    if (name === undefined) return { ...base, scalar: 'JSON' }
    const fields = readFields(name, inline, false)
    types.set(name, { name, fields, mutations: {}, access: accessLevelsOf({}) })
    return { ...base, object: name }
  }
  const readFields = (
    schema: string,
    given: readonly wire.SchemaField[],
    isEntity: boolean,
  ): readonly FieldModel[] => {
    const fields = new Map(isEntity ? systemModels : [])
    for (const field of given) {
      const { name, description } = field
      if (isEntity && systemField(name)) {
        const system = fields.get(name)!
        const access = accessLevelsOf(field)
        fields.set(name, { ...system, description: description ?? '', access })
      } else if (!isGraphqlName(name)) {
        const message = 'Its name is not a valid GraphQL name.'
        problems.push({ code: 'FIELD_SKIPPED', schema, member: name, message })
      } else if (fields.has(name)) {
        const message = 'Another field has the same name.'
        problems.push({ code: 'FIELD_SKIPPED', schema, member: name, message })
      } else {
        fields.set(name, readField(schema, field))
      }
    }
    return [...fields.values()]
  }

  for (const definition of listed) {
    const { schemaName: name, schemaType, querySchema } = definition
    const isEntity = schemaType !== SchemaType.Nested
    const fieldsOf = once(() => readFields(name, definition.fields ?? [], isEntity))
    readers.push(fieldsOf)
    // Inline types claim names, so their definitions must be read in order.
    if (definition.fields?.some(({ fields }) => fields?.length)) fieldsOf()
    const queryName = queryNaming === 'get' ? `get${querySchema}` : querySchema
    const query = isEntity && querySchema ? claimOperation(name, queryName!) : undefined
    const mutations = (isEntity ? namedMutations(definition) : []).flatMap((mutation) => {
      // A generated name that is not free is not a problem of the definition.
      if (!mutation.isRequired && !isFree(mutation.name)) return []
      const claimed = claimOperation(name, mutation.name)
      return claimed === undefined ? [] : [[mutation.kind, claimed]]
    })
    types.set(name, {
      name,
      get fields() {
        return fieldsOf()
      },
      access: accessLevelsOf(definition),
      ...(query === undefined ? {} : { query }),
      mutations: Object.fromEntries(mutations),
    })
  }
  return {
    types,
    get problems() {
      for (const read of readers) read()
      return problems
    },
  }
}

const baseOf = (field: wire.SchemaField) => ({
  name: field.name,
  isArray: field.isArray ?? false,
  isRequiredOnInsert: field.requiredOn === 'Insert' || field.requiredOn === 'Both',
  isRequiredOnUpdate: field.requiredOn === 'Update' || field.requiredOn === 'Both',
  description: field.description ?? '',
  access: accessLevelsOf(field),
})

const systemModels = new Map(
  systemFields.map((system): [string, FieldModel] => {
    const { name, isArray, type: scalar } = system
    return [name, { ...baseOf({ name, isArray }), scalar, system }]
  }),
)

/**
 * Returns a mutation name for each kind: the listed one, or the kind and the schema's name if
 * none is listed (rule 4 of section 4.5).
 */
function namedMutations({ mutationSchemas, schemaName }: wire.DataSchema) {
  const listed = (mutationSchemas ?? []).map((one) => ({
    name: typeof one === 'string' ? one : one.name,
  }))
  const names = mutationNames(schemaName, listed)
  return mutationKinds.map((kind) => ({
    kind,
    name: names.get(kind) ?? `${kind}${schemaName}`,
    isRequired: names.has(kind) || kind === 'insert',
  }))
}
