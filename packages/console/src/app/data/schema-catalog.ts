import type { Core } from '@servicekit/client/core'
import type { DataSchema } from '@servicekit/client/data'
import type { schemas } from '@servicekit/contract/control'
import { UNKNOWN_SCHEMA } from '~uilm/data'
import { type Api, ApiError } from '../state/api.ts'
import { runDocument } from './gateway.ts'
import { labelOf, type Relation, relationsOf } from './relations.ts'

/** Schemas of the project, and their drafts. */
export type SchemaListing = schemas.SchemaListing

/** Unpublished change or removal of a schema. */
export type SchemaDraft = schemas.SchemaDraft

type MutationKind = 'insert' | 'insertMany' | 'update' | 'updateMany' | 'delete' | 'deleteMany'

/** Schema that a field refers to. */
export interface RelatedSchema {
  readonly name: string
  readonly query: string
  /** Field that names a record. */
  readonly label?: string
}

/** Field of a record, as the gateway describes it. */
export interface RecordField {
  readonly name: string
  /** Name of a scalar or of an object type. */
  readonly type: string
  readonly isArray: boolean
  /** Fields of an object. */
  readonly fields?: readonly RecordField[]
  /** Name of the input type with its comparisons. */
  readonly filter?: string
  readonly isInsertable: boolean
  readonly isUpdatable: boolean
  readonly isRequiredOnInsert: boolean
  readonly isRequiredOnUpdate: boolean
  /** Schema whose records it refers to. */
  readonly target?: RelatedSchema
}

/** Schema whose records can be listed. */
export interface RecordSchema {
  readonly name: string
  readonly query: string
  readonly mutations: Readonly<Partial<Record<MutationKind, string>>>
  readonly fields: readonly RecordField[]
  /** Fields of other schemas that refer to its records. */
  readonly referrers: readonly Relation[]
}

interface TypeReference {
  readonly kind: string
  readonly name: string | null
  readonly ofType: TypeReference | null
}

interface TypeMember {
  readonly name: string
  readonly type: TypeReference
}

interface DescribedType {
  readonly fields: readonly TypeMember[] | null
  readonly inputFields: readonly TypeMember[] | null
}

interface Roots {
  readonly queryType: { readonly fields: readonly TypeMember[] }
  readonly mutationType: {
    readonly fields: readonly (TypeMember & { readonly args: readonly TypeMember[] })[]
  } | null
}

const reference = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }'

const rootsDocument = `query Operations {
  __schema {
    queryType { fields { name type { ${reference} } } }
    mutationType { fields { name type { ${reference} } args { name type { ${reference} } } } }
  }
}`

/** Nesting of objects that is read; deeper ones are left out. */
const maxDepth = 5

/** Returns the name within lists and required types. */
const nameOf = ({ name, ofType }: TypeReference): string => name ?? (ofType ? nameOf(ofType) : '')

const isList = ({ kind, ofType }: TypeReference): boolean =>
  kind === 'LIST' || (ofType !== null && isList(ofType))

const typeDocument = `query Type($name: String!) {
  __type(name: $name) {
    fields { name type { ${reference} } }
    inputFields { name type { ${reference} } }
  }
}`

/** Reads what the gateway says about its types; it allows one of them in a document. */
const describeTypes = (
  core: Core,
  names: readonly string[],
): Promise<readonly (DescribedType | null)[]> =>
  Promise.all(
    names.map(async (name) => {
      const found = await runDocument<{ readonly __type: DescribedType | null }>(
        core,
        typeDocument,
        { name },
      )
      return found.__type
    }),
  )

/** Creates the reader of the schemas of a project. */
export function createSchemaCatalog(core: Core, api: Api) {
  const list = (signal?: AbortSignal): Promise<SchemaListing> =>
    api.get('/schemas', signal ? { signal } : {})
  return {
    list,
    /**
     * Saves a draft of a schema, or of its removal.
     *
     * @param expected draft or schema that the user saw; null if there was none.
     * @throws ApiError 409 if someone else has changed it.
     */
    saveDraft: async (
      name: string,
      definition: DataSchema | null,
      expected: DataSchema | null,
    ): Promise<DataSchema | null> => {
      const body = { definition, expected }
      const saved = await api.send('PUT', '/schemas/{name}', { path: { name }, body })
      return saved.definition
    },
    /** Discards drafts that the user saw. @throws ApiError 409 if one of them changed. */
    discard: (drafts: readonly SchemaDraft[]): Promise<void> =>
      api.send('POST', '/schemas/discard', { body: { drafts } }),
    /** Publishes the drafts that the user saw. @throws ApiError 409 if there are others. */
    publish: (drafts: readonly SchemaDraft[]): Promise<unknown> =>
      api.send('POST', '/schemas/publish', { body: { drafts } }),
    /** Reads what is needed to show and change the records of a schema. @throws ApiError */
    describe: async (name: string): Promise<RecordSchema> => {
      const types = ['', 'InsertInput', 'UpdateInput', 'FilterInput'].map((end) => name + end)
      const [{ schemas }, { __schema: roots }, [type, insert, update, filter]] = await Promise.all([
        list(),
        runDocument<{ readonly __schema: Roots }>(core, rootsDocument),
        describeTypes(core, types),
      ])
      const definition = schemas.find(({ schemaName }) => schemaName === name)
      const queryOf = (schema: string) =>
        roots.queryType.fields.find(({ type: of }) => nameOf(of) === `${schema}Result`)
      const query = queryOf(name)
      const relatedTo = (schema: string): RelatedSchema | undefined => {
        const found = queryOf(schema)
        const label = labelOf(schemas.find(({ schemaName }) => schemaName === schema)!)
        return found && { name: schema, query: found.name, ...(label !== undefined && { label }) }
      }
      if (!definition || !query || !type?.fields) throw new ApiError(404, UNKNOWN_SCHEMA({ name }))
      const relations = relationsOf(schemas)
      const nested = await describeNested(core, type.fields)
      const required = new Map(definition.fields?.map((field) => [field.name, field.requiredOn]))
      const inputs = [insert, update, filter].map(
        (one) => new Map(one?.inputFields?.map((member) => [member.name, nameOf(member.type)])),
      )
      const [insertable, updatable, filters] = inputs as [
        Map<string, string>,
        Map<string, string>,
        Map<string, string>,
      ]
      const readField = (member: TypeMember): RecordField => {
        const fields = fieldsOf(member, nested)
        const on = required.get(member.name)
        const relation = relations.find(
          (one) => one.from === name && one.field === member.name && !one.isNested,
        )
        const target = relation && relatedTo(relation.to)
        const operators = filters.get(member.name)
        return {
          ...fields,
          isInsertable: insertable.has(member.name),
          isUpdatable: updatable.has(member.name),
          isRequiredOnInsert: on === 'Insert' || on === 'Both',
          isRequiredOnUpdate: on === 'Update' || on === 'Both',
          ...(operators !== undefined && { filter: operators }),
          ...(target !== undefined && { target }),
        }
      }
      return {
        name,
        query: query.name,
        mutations: mutationsOf(name, roots),
        fields: type.fields.map(readField),
        // The gateway has no condition for fields that are lists.
        referrers: relations.filter((one) => one.to === name && !one.isNested && !one.isArray),
      }
    },
  }
}

export type SchemaCatalog = ReturnType<typeof createSchemaCatalog>

/** Returns the names of the mutations by their kind: inputs and results tell them apart. */
function mutationsOf(name: string, { mutationType }: Roots): RecordSchema['mutations'] {
  const kinds: readonly (readonly [MutationKind, string])[] = [
    ['insert', `${name}InsertInput`],
    ['update', `${name}UpdateInput`],
    ['delete', `${name}DeleteInput`],
  ]
  const found: Partial<Record<MutationKind, string>> = {}
  for (const { name: mutation, type, args } of mutationType?.fields ?? []) {
    const input = args.find((one) => one.name === 'input')
    const kind = kinds.find(([, of]) => input && nameOf(input.type) === of)?.[0]
    if (kind === undefined) continue
    const isMany = nameOf(type) === 'BulkActionResponse'
    found[isMany ? (`${kind}Many` as MutationKind) : kind] = mutation
  }
  return found
}

/** Reads the object types that the fields contain, level by level. */
async function describeNested(
  core: Core,
  members: readonly TypeMember[],
): Promise<ReadonlyMap<string, readonly TypeMember[]>> {
  const known = new Map<string, readonly TypeMember[]>()
  let level = members
  while (level.length > 0) {
    const names = [...new Set(level.filter(isObject).map(({ type }) => nameOf(type)))]
    const missing = names.filter((name) => !known.has(name))
    const found = await describeTypes(core, missing)
    for (const [index, name] of missing.entries()) known.set(name, found[index]?.fields ?? [])
    level = missing.flatMap((name) => known.get(name) ?? [])
  }
  return known
}

const isObject = ({ type }: TypeMember): boolean => {
  let inner = type
  while (inner.ofType) inner = inner.ofType
  return inner.kind === 'OBJECT'
}

function fieldsOf(
  member: TypeMember,
  nested: ReadonlyMap<string, readonly TypeMember[]>,
  depth = 1,
): RecordField {
  const type = nameOf(member.type)
  const inner = nested.get(type)
  return {
    name: member.name,
    type,
    isArray: isList(member.type),
    isInsertable: true,
    isUpdatable: true,
    isRequiredOnInsert: false,
    isRequiredOnUpdate: false,
    ...(inner && {
      fields: depth < maxDepth ? inner.map((one) => fieldsOf(one, nested, depth + 1)) : [],
    }),
  }
}
