/*
 * Reads introspection results as they are. `buildClientSchema` of graphql-js would need that package,
 * which is an optional peer in three major versions, and rejects a schema with one invalid type, such
 * as those of instances with names that are not valid in GraphQL.
 */
import { isNamedMany, isObject, type MutationKind } from '@servicekit/core'
import type { NormalMutation } from './normalise.ts'

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
  /** Values of enum types by type name. */
  readonly enums: ReadonlyMap<string, readonly string[]>
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
  const enums = new Map<string, readonly string[]>()
  for (const type of listOf(schema['types'])) {
    const members = type['kind'] === 'INPUT_OBJECT' ? type['inputFields'] : type['fields']
    const isOwn = String(type['name']).startsWith('__')
    if (isOwn) continue
    if (Array.isArray(members)) types.set(String(type['name']), readMembers(members))
    const values = listOf(type['enumValues']).map(({ name }) => String(name))
    if (values.length > 0) enums.set(String(type['name']), values)
  }
  const rootOf = (of: unknown): readonly SchemaMember[] =>
    (isObject(of) ? types.get(String(of['name'])) : undefined) ?? []
  return {
    queries: rootOf(schema['queryType']),
    mutations: rootOf(schema['mutationType']),
    types,
    enums,
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

const inputName = /^(.+)(Insert|Update|Delete)Input$/

/** Returns the entity that a mutation changes, and how. The type of its input decides. */
export function changedBy(
  mutation: SchemaMember,
): { readonly entity: string; readonly kind: MutationKind } | undefined {
  const input = mutation.args.find(({ member }) => member === 'input')
  const [, entity, verb] = inputName.exec(input?.name ?? '') ?? []
  if (input === undefined || entity === undefined || verb === undefined) return undefined
  const kind = verb.toLowerCase() as 'insert' | 'update' | 'delete'
  if (kind === 'insert') return { entity, kind: input.isList ? 'insertMany' : 'insert' }
  const isMany =
    mutation.name === 'BulkActionResponse' ||
    (isNamedMany(mutation.member) && mutation.member !== kind + entity)
  return { entity, kind: isMany ? `${kind}Many` : kind }
}

/** Returns the mutations of each entity. */
export function mutationsOf({
  mutations,
}: ExecutableSchema): ReadonlyMap<string, readonly NormalMutation[]> {
  const found = new Map<string, NormalMutation[]>()
  for (const mutation of mutations) {
    const change = changedBy(mutation)
    if (change === undefined) continue
    const { entity, kind } = change
    const known = found.get(entity) ?? []
    found.set(entity, [...known, { name: mutation.member, kind }])
  }
  return found
}

/**
 * Converts an executable schema to a schema listing: one entity per query that returns a
 * page, and one nested object per type that they refer to. Queries keep their executable
 * names, which requires `queryNaming: 'as-given'`.
 */
export function listingOf(schema: ExecutableSchema): readonly unknown[] {
  const entities = new Map<string, string>()
  for (const query of schema.queries) {
    const entity = listedBy(schema, query)
    if (entity !== undefined && !entities.has(entity)) {
      entities.set(entity, query.member)
    }
  }
  const mutations = mutationsOf(schema)
  const listed: unknown[] = []
  const seen = new Set(entities.keys())
  const visit = (name: string): readonly unknown[] => {
    const requiredIn = (input: string): ReadonlySet<string> =>
      new Set(schema.types.get(name + input)?.flatMap((one) => (one.isRequired ? one.member : [])))
    const [onInsert, onUpdate] = [requiredIn('InsertInput'), requiredIn('UpdateInput')]
    const requiredOn = (field: string): string =>
      onInsert.has(field)
        ? onUpdate.has(field)
          ? 'Both'
          : 'Insert'
        : onUpdate.has(field)
          ? 'Update'
          : 'None'
    return (schema.types.get(name) ?? []).map((field) => {
      if (schema.types.has(field.name) && !seen.has(field.name)) {
        seen.add(field.name)
        listed.push({ schemaName: field.name, schemaType: 2, fields: visit(field.name) })
      }
      return {
        name: field.member,
        type: field.name,
        isArray: field.isList,
        values: schema.enums.get(field.name),
        requiredOn: requiredOn(field.member),
        description: field.description,
      }
    })
  }
  for (const [schemaName, query] of entities) {
    const fields = visit(schemaName)
    listed.push({
      schemaName,
      schemaType: 1,
      querySchema: query,
      mutationSchemas: mutations.get(schemaName) ?? [],
      fields,
    })
  }
  return listed
}
