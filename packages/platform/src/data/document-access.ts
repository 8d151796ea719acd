import { AccessLevel } from '@servicekit/contract'
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'
import type { Verb } from './access-levels.ts'
import { filterFields, sortFields } from './dynamic-query.ts'
import type { DataModel, FieldModel, MutationKind, TypeModel } from './model.ts'

/** Access levels required by a request, each with the first operation that requires it. */
export type Needs = ReadonlyMap<number, string>

/** Root fields by name, and the types they reach. */
export interface AccessModel {
  readonly types: DataModel['types']
  readonly queries: ReadonlyMap<string, TypeModel>
  readonly mutations: ReadonlyMap<string, readonly [MutationKind, TypeModel]>
}

type Variables = Readonly<Record<string, unknown>>
type Add = (level: number, what: string) => void

const verbs: Readonly<Record<MutationKind, Verb>> = {
  insert: 'write',
  insertMany: 'write',
  update: 'edit',
  updateMany: 'edit',
  delete: 'delete',
  deleteMany: 'delete',
}

/**
 * Returns a function that collects the access levels required by a request: those of
 * every operation of the document, its selected fields, and the fields used in filters,
 * sorts and inputs. The document must be valid, so that each name has a type.
 */
export function documentAccess(
  document: DocumentNode,
  model: AccessModel,
): (variables: Variables) => Needs {
  const fixed = new Map<number, string>()
  const add: Add = (level, what) => {
    if (!fixed.has(level)) fixed.set(level, what)
  }
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
  const fragments = new Map(
    document.definitions
      .filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((one) => [one.name.value, one]),
  )
  const roots = operations.flatMap((operation) =>
    fieldsOf(operation.selectionSet, fragments).map((field) => ({ operation, field })),
  )
  const selected = selectionWalker(model, fragments, add)
  for (const { operation, field } of roots) {
    const name = field.name.value
    if (name === '__schema' || name === '__type') add(AccessLevel.User, 'read the schema')
    const [kind, type] = rootOf(model, operation, name)
    if (!type) continue
    const verb = kind ? verbs[kind] : 'read'
    add(schemaLevel(type, verb), `${verb} ${type.name}`)
    if (!kind) selected(field, type)
  }
  return (variables) => {
    const needs = new Map(fixed)
    const walk = argumentWalker(model, (level, what) => {
      if (!needs.has(level)) needs.set(level, what)
    })
    const givenTo = new Map(operations.map((one) => [one, withDefaults(one, variables)]))
    for (const { operation, field } of roots) {
      const [kind, type] = rootOf(model, operation, field.name.value)
      if (!type || !field.arguments?.length) continue
      const given = givenTo.get(operation)!
      const values = new Map(
        field.arguments.map(({ name, value }) => [name.value, valueFromASTUntyped(value, given)]),
      )
      walk(kind, type, values)
    }
    return needs
  }
}

const rootOf = (
  { queries, mutations }: AccessModel,
  { operation }: OperationDefinitionNode,
  name: string,
): readonly [MutationKind | undefined, TypeModel | undefined] =>
  operation === OperationTypeNode.MUTATION
    ? (mutations.get(name) ?? [undefined, undefined])
    : [undefined, queries.get(name)]

/** Returns the access level of a schema; `User` if the schema sets none. */
const schemaLevel = ({ access }: TypeModel, verb: Verb): number => access[verb] || AccessLevel.User

/**
 * Returns the fields of a selection, including those of fragments. Visits each fragment
 * once.
 */
function fieldsOf(
  set: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FieldNode[] {
  const found: FieldNode[] = []
  const seen = new Set<string>()
  const collect = (part: SelectionSetNode | undefined): void => {
    for (const one of part?.selections ?? []) {
      if (one.kind === Kind.FIELD) found.push(one)
      else if (one.kind === Kind.INLINE_FRAGMENT) collect(one.selectionSet)
      else if (!seen.has(one.name.value)) {
        seen.add(one.name.value)
        collect(fragments.get(one.name.value)?.selectionSet)
      }
    }
  }
  collect(set)
  return found
}

/** Returns a function that adds the levels of the fields selected in a list. */
function selectionWalker(
  { types }: AccessModel,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  add: Add,
): (list: FieldNode, type: TypeModel) => void {
  /** Levels with which each selection was visited, to avoid visiting it again. */
  const walked = new Map<SelectionSetNode, Set<number>>()
  const walk = (set: SelectionSetNode | undefined, type: TypeModel, level: number): void => {
    if (!set || walked.get(set)?.has(level)) return
    walked.set(set, (walked.get(set) ?? new Set()).add(level))
    for (const one of set.selections) {
      if (one.kind === Kind.INLINE_FRAGMENT) walk(one.selectionSet, type, level)
      else if (one.kind === Kind.FRAGMENT_SPREAD) {
        walk(fragments.get(one.name.value)?.selectionSet, type, level)
      } else {
        const field = type.fields.find(({ name }) => name === one.name.value)
        if (!field) continue
        const own = field.access.read || level
        add(own, `read ${type.name}.${field.name}`)
        const nested = nestedType(field, types)
        if (nested) walk(one.selectionSet, nested, nested.access.read || own)
      }
    }
  }
  return (list, type) => {
    for (const field of fieldsOf(list.selectionSet, fragments)) {
      if (field.name.value === 'items') walk(field.selectionSet, type, schemaLevel(type, 'read'))
    }
  }
}

const nestedType = ({ object }: FieldModel, types: DataModel['types']): TypeModel | undefined =>
  object === undefined ? undefined : types.get(object)

/** Returns a function that adds the levels of the fields used in arguments. */
function argumentWalker({ types }: AccessModel, add: Add) {
  /** Values already visited, by use. Several fields may share the value of a variable. */
  const seen = new Map<string, Set<unknown>>()
  const isNew = (use: string, value: unknown): boolean => {
    const values = seen.get(use) ?? new Set()
    seen.set(use, values)
    if (values.has(value)) return false
    values.add(value)
    return true
  }
  const addField = (type: TypeModel, name: unknown, verb: Verb, level: number) => {
    const field = type.fields.find((one) => one.name === name)
    if (!field) return undefined
    const own = field.access[verb] || level
    add(own, `${verb} ${type.name}.${field.name}`)
    return { field, own }
  }
  const read = (kind: MutationKind | undefined, type: TypeModel, name: unknown): void => {
    // An id identifies the record to change, and reveals nothing about it.
    if (kind === undefined || name !== 'ItemId') {
      addField(type, name, 'read', schemaLevel(type, 'read'))
    }
  }
  const walkWhere = (value: unknown, onField: (name: string) => void): void => {
    for (const part of listed(value)) {
      for (const [name, inner] of membersOf(part)) {
        if (name === 'or' || name === 'and') walkWhere(inner, onField)
        else onField(name)
      }
    }
  }
  const walkInput = (value: unknown, type: TypeModel, verb: Verb, level: number): void => {
    for (const part of listed(value)) {
      for (const [name, inner] of membersOf(part)) {
        const found = addField(type, name, verb, level)
        const nested = found && nestedType(found.field, types)
        if (nested) walkInput(inner, nested, verb, nested.access[verb] || found.own)
      }
    }
  }
  return (
    kind: MutationKind | undefined,
    type: TypeModel,
    values: ReadonlyMap<string, unknown>,
  ): void => {
    const onField = (name: unknown): void => read(kind, type, name)
    const use = `${kind ?? ''} ${type.name}`
    const where = values.get('where')
    if (isNew(`where ${use}`, where)) walkWhere(where, onField)
    for (const one of listed(values.get('order'))) {
      for (const [name, field] of membersOf(one)) if (name === 'field') onField(field)
    }
    const input = values.get('input')
    const older = new Map(kind === undefined ? membersOf(input) : [])
    const filter = kind === undefined ? older.get('filter') : values.get('filter')
    if (isNew(`filter ${use}`, filter)) filterFields(filter).forEach(onField)
    const sort = older.get('sort')
    if (isNew(`sort ${use}`, sort)) sortFields(sort).forEach(onField)
    const verb = kind === undefined ? 'read' : verbs[kind]
    if ((verb === 'write' || verb === 'edit') && isNew(`input ${use}`, input)) {
      walkInput(input, type, verb, schemaLevel(type, verb))
    }
  }
}

/** GraphQL accepts a single value where a list is expected. */
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

/** Returns the variables, with defaults for those that are absent. */
function withDefaults(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): Record<string, unknown> {
  const all = Object.assign(Object.create(null) as object, variables) as Record<string, unknown>
  for (const { variable, defaultValue } of variableDefinitions) {
    if (defaultValue && all[variable.name.value] === undefined) {
      all[variable.name.value] = valueFromASTUntyped(defaultValue)
    }
  }
  return all
}
