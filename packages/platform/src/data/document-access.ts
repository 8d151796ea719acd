import { isObject, type MutationKind } from '@servicekit/core'
import { AccessLevel } from '@servicekit/contract'
import {
  type DocumentNode,
  type FieldNode,
  getArgumentValues,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql'
import type { Verb } from './access-levels.ts'
import type { GatewaySchema } from './build-schema.ts'
import { CostError } from './cost.ts'
import { type ReadFilter, readSort, type SortField } from './dynamic-query.ts'
import type { TypeModel } from './model.ts'
import { fieldsOf, fragmentsOf, operationsOf } from './selection.ts'

/** Access levels that a request requires, each with the first operation that requires it. */
export type Needs = ReadonlyMap<number, string>

type Add = (level: number, operation: string) => void

const verbs: Readonly<Record<string, Verb>> = { insert: 'write', update: 'edit', delete: 'delete' }

/**
 * Collects the access levels that a document requires: those of the schemas that its
 * operations use and of the fields that they select. The document must be valid.
 */
export function selectionNeeds(document: DocumentNode, gateway: GatewaySchema): Needs {
  const { needs, add } = needsCollector()
  const fragments = fragmentsOf(document)
  /** Levels with which each selection was visited, to avoid visiting it again. */
  const visited = new Map<SelectionSetNode, Set<number>>()
  const visitSelection = (set: SelectionSetNode | undefined, type: TypeModel, level: number) => {
    if (!set || visited.get(set)?.has(level)) return
    visited.set(set, (visited.get(set) ?? new Set()).add(level))
    for (const one of set.selections) {
      if (one.kind === Kind.INLINE_FRAGMENT) visitSelection(one.selectionSet, type, level)
      else if (one.kind === Kind.FRAGMENT_SPREAD) {
        visitSelection(fragments[one.name.value]?.selectionSet, type, level)
      } else {
        const found = addField(add, type, one.name.value, 'read', level)
        const nested = gateway.types.get(found?.field.object ?? '')
        if (nested) visitSelection(one.selectionSet, nested, nested.access.read || found!.level)
      }
    }
  }
  for (const operation of operationsOf(document)) {
    for (const field of fieldsOf(operation.selectionSet, fragments)) {
      const name = field.name.value
      if (name === '__schema' || name === '__type') add(AccessLevel.User, 'read the schema')
      const { verb, type } = rootOf(gateway, operation, field)
      if (!type) continue
      const level = schemaLevel(type, verb)
      add(level, `${verb} ${type.name}`)
      for (const member of fieldsOf(field.selectionSet, fragments)) {
        if (member.name.value === 'items') visitSelection(member.selectionSet, type, level)
      }
    }
  }
  return needs
}

/**
 * Collects the access levels of the fields that the arguments of an operation filter by,
 * sort by or set. Skips invalid arguments, because execution rejects their fields.
 *
 * @throws CostError when reading the arguments costs too much.
 */
export function argumentNeeds(
  gateway: GatewaySchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  readFilter: ReadFilter,
): Needs {
  const { needs, add } = needsCollector()
  const seen = new Map<string, Set<unknown>>()
  /** True once for a value and its use: fields may share variables. */
  const isNew = (use: string, value: unknown): boolean => {
    const values = seen.get(use) ?? new Set()
    seen.set(use, values)
    return !values.has(value) && Boolean(values.add(value))
  }
  const rootType = gateway.schema.getRootType(operation.operation)
  for (const field of fieldsOf(operation.selectionSet, fragmentsOf(document))) {
    const { verb, type, kind } = rootOf(gateway, operation, field)
    const definition = rootType?.getFields()[field.name.value]
    if (!type || !definition || !field.arguments?.length) continue
    const values = attempt(() => getArgumentValues(definition, field, variables)) ?? {}
    const use = type.name
    // An id identifies the record to change, and reveals nothing about it; a part of an id would
    // reveal the ids of others.
    const read = (name: string, condition?: unknown): void => {
      if (kind === undefined || name !== 'ItemId' || !isEquality(condition)) {
        addField(add, type, name, 'read', schemaLevel(type, 'read'))
      }
    }
    if (isNew(`where ${use}`, values['where'])) eachCondition(values['where'], read)
    const { filter, sort } = (kind === undefined ? (values['input'] ?? {}) : values) as {
      readonly filter?: string | null
      readonly sort?: string | null
    }
    if (isNew(`filter ${use}`, filter)) {
      eachCondition(
        attempt(() => readFilter(type, filter)),
        read,
      )
    }
    const order = (values['order'] ?? []) as readonly SortField[]
    if (isNew(`order ${use}`, values['order'])) for (const one of order) read(one.field)
    if (isNew(`sort ${use}`, sort)) {
      for (const one of attempt(() => readSort(sort)) ?? []) read(one.field)
    }
    if ((verb === 'write' || verb === 'edit') && isNew(`input ${use}`, values['input'])) {
      addInput(add, gateway, values['input'], type, verb, schemaLevel(type, verb))
    }
  }
  return needs
}

/** Returns undefined when `read` throws an error in the request, unless that costs too much. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof GraphQLError && !(error instanceof CostError)) return undefined
    throw error
  }
}

function needsCollector(): { readonly needs: Needs; readonly add: Add } {
  const needs = new Map<number, string>()
  return {
    needs,
    add: (level, operation) => {
      if (!needs.has(level)) needs.set(level, operation)
    },
  }
}

function rootOf(
  { queries, mutations }: GatewaySchema,
  { operation }: OperationDefinitionNode,
  { name }: FieldNode,
): { readonly verb: Verb; readonly type?: TypeModel; readonly kind?: MutationKind } {
  if (operation !== OperationTypeNode.MUTATION) {
    const type = queries.get(name.value)
    return { verb: 'read', ...(type && { type }) }
  }
  const mutation = mutations.get(name.value)
  return mutation
    ? { verb: verbs[mutation.kind.replace('Many', '')]!, ...mutation }
    : { verb: 'read' }
}

/** Returns the access level of a schema; `User` if the schema sets none. */
const schemaLevel = ({ access }: TypeModel, verb: Verb): number => access[verb] || AccessLevel.User

/** Adds the level of a field, which is that of its object unless it has its own. */
function addField(add: Add, type: TypeModel, name: string, verb: Verb, inherited: number) {
  const field = type.fields.find((one) => one.name === name)
  if (!field) return undefined
  const level = field.access[verb] || inherited
  add(level, `${verb} ${type.name}.${field.name}`)
  return { field, level }
}

/** Returns true for the condition that a field is equal to a given value, or to one of several. */
const isEquality = (condition: unknown): boolean =>
  isObject(condition) && Object.keys(condition).every((name) => name === 'eq' || name === 'in')

function eachCondition(
  where: unknown,
  visitField: (name: string, condition: unknown) => void,
): void {
  for (const [name, inner] of Object.entries(where ?? {})) {
    if (name !== 'or' && name !== 'and') visitField(name, inner)
    else for (const one of (inner ?? []) as readonly unknown[]) eachCondition(one, visitField)
  }
}

/**
 * Adds the levels of the fields that an input sets, including those of nested objects. An update
 * replaces a nested object as a whole, and so changes all its fields, also those that the input
 * leaves out.
 */
function addInput(
  add: Add,
  gateway: GatewaySchema,
  input: unknown,
  type: TypeModel,
  verb: Verb,
  level: number,
): void {
  for (const part of Array.isArray(input) ? input : [input]) {
    for (const [name, value] of Object.entries((part ?? {}) as object)) {
      const found = addField(add, type, name, verb, level)
      const nested = gateway.types.get(found?.field.object ?? '')
      if (!nested) continue
      const nestedLevel = nested.access[verb] || found!.level
      if (verb === 'edit') addWhole(add, gateway, nested, nestedLevel)
      else addInput(add, gateway, value, nested, verb, nestedLevel)
    }
  }
}

/** Adds the levels for editing every field of an object, including those of nested objects. */
function addWhole(
  add: Add,
  gateway: GatewaySchema,
  type: TypeModel,
  level: number,
  seen = new Set<string>(),
): void {
  const step = `${type.name} ${level}`
  if (seen.has(step)) return
  seen.add(step)
  for (const { name } of type.fields) {
    const found = addField(add, type, name, 'edit', level)!
    const nested = gateway.types.get(found.field.object ?? '')
    if (nested) addWhole(add, gateway, nested, nested.access.edit || found.level, seen)
  }
}
