import type { ResolvedOutputOptions } from '@servicekit/contract/output-options'
import type { QueryNaming } from '@servicekit/contract/service'
import {
  byCodePoint,
  isGraphqlName,
  type MutationKind,
  mutationKinds,
  mutationNames,
  upperFirst,
} from '@servicekit/core'
import { collectInlineObjects } from './inline-objects.ts'
import { buildFields, type FieldModel } from './model-field.ts'
import { claim, fileNamesOf, identifiersOf, type SchemaNames, typeNameOf } from './names.ts'
import type { NormalListing, NormalSchema } from './normalise.ts'
import type { Problem } from './problem.ts'
import { derivedNames, derivedOperations, reservedNames } from './reserved.ts'

/** Naming of list queries: as in the listing, or prefixed with `get`. */
export type { QueryNaming }

/** Bulk mutations: those that the listing names, or also those that it does not name. */
type BulkMutations = ResolvedOutputOptions['bulkMutations']

export interface ModelOptions {
  readonly queryNaming: QueryNaming
  readonly bulkMutations?: BulkMutations | undefined
}

/** Plain data with all decisions for the output: names, types, operations. */
export interface Model {
  /** Sorted by file name. */
  readonly schemas: readonly SchemaModel[]
  readonly problems: readonly Problem[]
}

export interface SchemaModel extends SchemaNames {
  /** Name in the listing. */
  readonly name: string
  readonly kind: 'entity' | 'object'
  readonly fields: readonly FieldModel[]
  readonly list: ListModel | undefined
  readonly mutations: Mutations
}

/** Mutations of a schema by kind. */
type Mutations = Readonly<Partial<Record<MutationKind, OperationModel>>>

export interface OperationModel {
  /** Function name: `listProducts`. */
  readonly identifier: string
  /** Field name in the GraphQL document: `Products`. */
  readonly field: string
}

/** List query with the names of the functions derived from it. */
export interface ListModel extends OperationModel {
  /** Function name: `getProduct`. */
  readonly get: string
  /** Function name: `countProducts`. */
  readonly count: string
  /** Function name: `walkProducts`. */
  readonly walk: string
  /** Function name: `pickProducts`. */
  readonly pick: string
}

/**
 * Builds the model of a listing (section 4.5 rules 1 to 4). Files and identifiers of
 * schemas are unique, whatever their names.
 */
export function buildModel(
  listing: NormalListing,
  { queryNaming, bulkMutations = 'listed' }: ModelOptions = { queryNaming: 'as-given' },
): Model {
  const problems = [...listing.problems]
  // Sorted, so that the order of the listing only decides which schema owns a contested
  // operation.
  const { schemas: all, nameOf } = collectInlineObjects([...listing.schemas].sort(byName))
  const schemas = [...all].sort(byName)
  const names = nameSchemas(schemas, problems)
  const identifiers = new Set(reservedNames)
  for (const { type } of names.values())
    for (const name of derivedNames(type)) identifiers.add(name)
  const owners = { list: new Map<string, string>(), mutation: new Map<string, string>() }
  const found = new Map<
    string,
    Pick<SchemaModel, 'mutations'> & { list: OperationModel | undefined }
  >()
  const entities = listing.schemas
    .filter((schema) => schema.kind !== 'object' && hasOperations(schema, problems))
    .map((schema) => ({ schema, listed: mutationFields(schema, bulkMutations, problems) }))
  // The gateway may have mutations that the listing does not name. They belong to no other schema.
  for (const { schema, listed } of entities) {
    const named = new Set(Object.values(listed).map(({ field }) => field))
    for (const kind of mutationKinds) {
      const field = kind + schema.name
      if (!listed[kind] && !named.has(field)) owners.mutation.set(field, schema.name)
    }
  }
  // In listing order: the gateway has one type per operation, that of the first schema.
  for (const { schema, listed } of entities) {
    found.set(schema.name, {
      list: own(schema, owners.list, listField(schema, problems)),
      mutations: mapMutations(listed, (wanted) => own(schema, owners.mutation, wanted)),
    })
  }
  const prefix = queryNaming === 'get-prefix' ? 'get' : ''
  const models = schemas.map((schema): SchemaModel => {
    const { list, mutations = {} } = found.get(schema.name) ?? {}
    const { file, type } = names.get(schema.name)!
    return {
      name: schema.name,
      kind: schema.kind,
      file,
      type,
      fields: buildFields(schema, { names, nameOf }, problems),
      list: withDerived(identify(schema, list, prefix), type),
      mutations: mapMutations(mutations, (wanted) => identify(schema, wanted, '')),
    }
  })
  return { schemas: models.sort((left, right) => byCodePoint(left.file, right.file)), problems }

  /** Assigns an operation to the first schema that names it. */
  function own(
    { name }: NormalSchema,
    owners: Map<string, string>,
    wanted: OperationModel | undefined,
  ): OperationModel | undefined {
    if (wanted === undefined) return undefined
    const owner = owners.get(wanted.field) ?? name
    if (owner === name) {
      owners.set(wanted.field, name)
      return wanted
    }
    const message = `${wanted.field} is already an operation of schema ${owner}, so none was generated`
    report(problems, 'warning', 'DUPLICATE_OPERATION', name, message)
    return undefined
  }

  function identify(
    { name }: NormalSchema,
    wanted: OperationModel | undefined,
    prefix: string,
  ): OperationModel | undefined {
    if (wanted === undefined) return undefined
    const identifier = claim(identifiersOf(wanted.identifier, name), identifiers, derivedOperations)
    if (identifier !== wanted.identifier) {
      const message = `the function is named ${identifier} because ${wanted.identifier} is taken`
      report(problems, 'info', 'RENAMED', name, message)
    }
    return { identifier, field: prefix + wanted.field }
  }
}

/**
 * Returns whether the order of the schemas matters: if several claim an operation, the first
 * one gets it.
 */
export const dependsOnOrder = ({ problems }: Model): boolean =>
  problems.some(({ code }) => code === 'DUPLICATE_OPERATION')

const byName = (left: NormalSchema, right: NormalSchema): number =>
  byCodePoint(left.name, right.name)

function withDerived(list: OperationModel | undefined, type: string): ListModel | undefined {
  if (list === undefined) return undefined
  const what = list.identifier.slice('list'.length)
  return {
    ...list,
    get: `get${type}`,
    count: `count${what}`,
    walk: `walk${what}`,
    pick: `pick${what}`,
  }
}

/**
 * The name of an entity becomes part of GraphQL type names, so it must be a valid GraphQL
 * name.
 */
function hasOperations(schema: NormalSchema, problems: Problem[]): boolean {
  if (isGraphqlName(schema.name)) return true
  const message = 'is not a valid GraphQL name, so only types were generated'
  report(problems, 'warning', 'NAME_NOT_GRAPHQL', schema.name, message)
  return false
}

function listField({ name, query }: NormalSchema, problems: Problem[]): OperationModel | undefined {
  if (query === undefined) {
    const message = 'has no querySchema, so no list query was generated'
    report(problems, 'warning', 'QUERY_MISSING', name, message)
    return undefined
  }
  if (!isGraphqlName(query)) {
    const message = `querySchema ${JSON.stringify(query)} is not a valid GraphQL name`
    report(problems, 'warning', 'NAME_NOT_GRAPHQL', name, message)
    return undefined
  }
  return { field: query, identifier: `list${upperFirst(query)}` }
}

/**
 * Returns the mutations that the listing names. Only an insert has a derived name without one,
 * `insert{schemaName}` (rule 4).
 */
function mutationFields(
  schema: NormalSchema,
  bulkMutations: BulkMutations,
  problems: Problem[],
): Mutations {
  const names = new Map(mutationNames(schema.name, schema.mutations))
  if (!names.has('insert')) {
    const derived = `insert${schema.name}`
    names.set('insert', derived)
    const message = `has no mutation that starts with insert; ${derived} is used`
    report(problems, 'info', 'INSERT_DERIVED', schema.name, message)
  }
  if (bulkMutations === 'always') {
    for (const kind of mutationKinds) {
      const isBulk = kind.endsWith('Many') && names.has(kind.replace('Many', '') as MutationKind)
      if (isBulk && !names.has(kind)) names.set(kind, kind + schema.name)
    }
  }
  const fields: Partial<Record<MutationKind, OperationModel>> = {}
  for (const [kind, field] of names) {
    if (isGraphqlName(field)) {
      fields[kind] = { field, identifier: field }
    } else {
      const message = `mutation ${JSON.stringify(field)} is not a valid GraphQL name`
      report(problems, 'warning', 'NAME_NOT_GRAPHQL', schema.name, message)
    }
  }
  return fields
}

function mapMutations(
  mutations: Mutations,
  map: (mutation: OperationModel) => OperationModel | undefined,
): Mutations {
  const mapped: Partial<Record<MutationKind, OperationModel>> = {}
  for (const kind of mutationKinds) {
    const result = mutations[kind] && map(mutations[kind])
    if (result !== undefined) mapped[kind] = result
  }
  return mapped
}

function nameSchemas(
  schemas: readonly NormalSchema[],
  problems: Problem[],
): ReadonlyMap<string, SchemaNames> {
  const files = new Set<string>()
  const types = new Set(reservedNames)
  const names = new Map<string, SchemaNames>()
  // Schemas that are named like types come first: Product before PRODUCT.
  const ordered = [...schemas].sort(
    (left, right) => Number(isPlain(right.name)) - Number(isPlain(left.name)),
  )
  for (const { name } of ordered) {
    const wanted = typeNameOf(name)
    const type = claim(identifiersOf(wanted, name), types, derivedNames)
    const file = claim(fileNamesOf(name), files)
    names.set(name, { file, type })
    if (type !== wanted) {
      const message = `the type is named ${type} and its file ${file} because ${wanted} is taken`
      report(problems, 'info', 'RENAMED', name, message)
    }
  }
  return names
}

const isPlain = (name: string): boolean => /^[A-Z][a-z][A-Za-z0-9]*$/.test(name)

function report(
  problems: Problem[],
  severity: Problem['severity'],
  code: Problem['code'],
  schema: string,
  message: string,
): void {
  problems.push({ severity, code, schema, message })
}
