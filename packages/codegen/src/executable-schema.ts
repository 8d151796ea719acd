import { isObject } from '@servicekit/core'

/** Reference to a type: its name, and whether it is a list or required. */
interface TypeUse {
  readonly name: string
  readonly isList: boolean
  readonly isRequired: boolean
}

export interface SchemaMember extends TypeUse {
  readonly member: string
  readonly description: string
  readonly args: readonly SchemaMember[]
}

/** Executable schema, reduced to the parts that the generator needs. */
export interface ExecutableSchema {
  readonly queries: readonly SchemaMember[]
  readonly mutations: readonly SchemaMember[]
  /** Members of object and input types by type name. */
  readonly types: ReadonlyMap<string, readonly SchemaMember[]>
}

/** Returns whether a value is an introspection result, with or without `data`. */
export function isIntrospection(value: unknown): boolean {
  if (!isObject(value)) return false
  const { data } = value
  return isObject(value['__schema']) || (isObject(data) && isObject(data['__schema']))
}

/** Reads an introspection result. Missing parts are treated as empty. */
export function readIntrospection(value: unknown): ExecutableSchema {
  const root = isObject(value) && isObject(value['data']) ? value['data'] : value
  const schema = isObject(root) && isObject(root['__schema']) ? root['__schema'] : {}
  const types = new Map<string, readonly SchemaMember[]>()
  for (const type of listOf(schema['types'])) {
    const members = type['kind'] === 'INPUT_OBJECT' ? type['inputFields'] : type['fields']
    const isOwn = String(type['name']).startsWith('__')
    if (!isOwn && Array.isArray(members)) types.set(String(type['name']), readMembers(members))
  }
  const rootOf = (of: unknown): readonly SchemaMember[] =>
    (isObject(of) ? types.get(String(of['name'])) : undefined) ?? []
  return {
    queries: rootOf(schema['queryType']),
    mutations: rootOf(schema['mutationType']),
    types,
  }
}

function readMembers(members: unknown): readonly SchemaMember[] {
  return listOf(members).map((member) => ({
    member: String(member['name']),
    description: typeof member['description'] === 'string' ? member['description'] : '',
    args: readMembers(member['args']),
    ...readType(member['type']),
  }))
}

function readType(type: unknown): TypeUse {
  if (!isObject(type)) return { name: '', isList: false, isRequired: false }
  const { kind, name, ofType } = type
  if (kind === 'NON_NULL') return { ...readType(ofType), isRequired: true }
  if (kind === 'LIST') return { ...readType(ofType), isList: true, isRequired: false }
  return { name: String(name), isList: false, isRequired: false }
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns the entity that a query lists: `Product` if it returns a page of products. */
export function listedBy({ types }: ExecutableSchema, query: SchemaMember): string | undefined {
  const page = types.get(query.name)
  if (page?.some(({ member }) => member === 'totalCount') !== true) return undefined
  const items = page.find(({ member }) => member === 'items')
  return items?.isList === true ? items.name : undefined
}

const insertInput = /^(.+)InsertInput$/

/** Returns the entity that a mutation inserts. */
export function insertedBy(mutation: SchemaMember): string | undefined {
  const input = mutation.args.find(({ member }) => member === 'input')
  return insertInput.exec(input?.name ?? '')?.[1]
}

/**
 * Converts an executable schema to a schema listing: one entity per query that returns a
 * page, and one nested object per type that they refer to. Queries keep their executable
 * names, which requires `queryNaming: 'as-given'`.
 */
export function listingOf(schema: ExecutableSchema): readonly unknown[] {
  const entities = new Map<string, { query: string; mutations: string[] }>()
  for (const query of schema.queries) {
    const entity = listedBy(schema, query)
    if (entity !== undefined && !entities.has(entity)) {
      entities.set(entity, { query: query.member, mutations: [] })
    }
  }
  for (const mutation of schema.mutations) {
    const entity = insertedBy(mutation)
    if (entity !== undefined) entities.get(entity)?.mutations.push(mutation.member)
  }
  const listed: unknown[] = []
  const seen = new Set(entities.keys())
  const visit = (name: string): readonly unknown[] => {
    const required = new Set(
      schema.types
        .get(`${name}InsertInput`)
        ?.filter(({ isRequired }) => isRequired)
        .map(({ member }) => member),
    )
    return (schema.types.get(name) ?? []).map((field) => {
      if (schema.types.has(field.name) && !seen.has(field.name)) {
        seen.add(field.name)
        listed.push({ schemaName: field.name, schemaType: 2, fields: visit(field.name) })
      }
      return {
        name: field.member,
        type: field.name,
        isArray: field.isList,
        requiredOn: required.has(field.member) ? 'Insert' : 'None',
        description: field.description,
      }
    })
  }
  for (const [schemaName, { query, mutations }] of entities) {
    const fields = visit(schemaName)
    listed.push({
      schemaName,
      schemaType: 1,
      querySchema: query,
      mutationSchemas: mutations,
      fields,
    })
  }
  return listed
}
