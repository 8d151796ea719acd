import { printExactJson } from './gateway-exact-json.js'
import { changeDocument, insertDocument, insertManyDocument } from './gateway-documents.js'
import { failure, request } from './gateway-request.js'
import type { Gateway, GatewayResult } from './gateway.js'
import type {
  BooleanFilter,
  DateTimeFilter,
  GatewayAny,
  GatewayVariables,
  IdFilter,
  LongFilter,
  LongStringFilter,
  MutationResult,
  NumberFilter,
  StringFilter,
} from './gateway-types.js'

/** Result of a mutation of many records. */
export interface BulkMutationResult {
  readonly acknowledged: boolean
  /** Number of records that changed. */
  readonly totalImpactedData: number
  readonly message: string | null
  /** ItemIds of the records that changed. */
  readonly itemIds: readonly string[]
}

/** Kind of a delete. */
export interface DeleteInput {
  /**
   * `true` removes the records. `false` marks them as deleted: queries no longer return them,
   * and the service keeps them.
   */
  readonly isHardDelete: boolean
}

/** A filter with at least one operator. */
export type GatewayFilled<F> = { [O in keyof F]-?: F & { readonly [P in O]-?: F[P] } }[keyof F]

export type StringCondition = GatewayFilled<StringFilter>
export type IdCondition = GatewayFilled<IdFilter>
export type NumberCondition = GatewayFilled<NumberFilter>
export type LongCondition = GatewayFilled<LongFilter>
export type LongStringCondition = GatewayFilled<LongStringFilter>
export type DateTimeCondition = GatewayFilled<DateTimeFilter>
export type BooleanCondition = GatewayFilled<BooleanFilter>

/** Conditions on the fields of {@link GatewayRecord}. */
export interface GatewayRecordConditions {
  readonly ItemId?: StringCondition
  readonly CreatedDate?: DateTimeCondition
  readonly LastUpdatedDate?: DateTimeCondition
  readonly CreatedBy?: StringCondition
  readonly LastUpdatedBy?: StringCondition
  readonly Language?: StringCondition
  readonly OrganizationId?: StringCondition
}

/** At least one of the conditions C; all of them are those of W. */
export type GatewayCondition<C, W> = {
  [K in keyof C]-?: { readonly [P in K]-?: C[P] } & W
}[keyof C]

/**
 * The conditions C, with values for the fields K. The type of a value is read from C, not from the
 * mapped type: `C[P]` there would cost an instantiation for each field of the schema.
 */
export type GatewayFields<C, K extends keyof C> = { readonly [P in K]: {} } & C

/** `never` if the condition has no field. */
export type GatewayIf<K> = [K] extends [never] ? never : Gateway

/**
 * Updates or deletes one record: that with an ItemId, or the first that matches a condition.
 * Comparing with a union of all conditions takes about 260 instantiations per call, so the second signature infers
 * the fields of a condition. The third one accepts conditions in variables. An ItemId has a
 * signature of its own, because inferring fields from it takes 260 instantiations per call.
 */
export interface GatewayChange<C, W, I> {
  (gateway: Gateway, itemId: string, input: I): Promise<GatewayResult<MutationResult>>
  <K extends keyof C>(
    gateway: GatewayIf<K>,
    where: GatewayFields<C, K>,
    input: I,
  ): Promise<GatewayResult<MutationResult>>
  (
    gateway: Gateway,
    where: string | GatewayCondition<C, W>,
    input: I,
  ): Promise<GatewayResult<MutationResult>>
}

/** Inserts many records, or none. */
export interface GatewayInsertMany<I> {
  (gateway: Gateway, input: readonly I[]): Promise<GatewayResult<BulkMutationResult>>
}

/** Updates or deletes all records that match a condition. */
export interface GatewayChangeMany<C, W, I, R = BulkMutationResult> {
  <K extends keyof C>(
    gateway: GatewayIf<K>,
    where: GatewayFields<C, K>,
    input: I,
  ): Promise<GatewayResult<R>>
  (gateway: Gateway, where: GatewayCondition<C, W>, input: I): Promise<GatewayResult<R>>
}

/** Creates the function that inserts one record. @internal */
export function insert(
  field: string,
  schema: string,
): (gateway: Gateway, input: unknown) => Promise<GatewayResult<GatewayAny>> {
  return (gateway, input) => mutate(gateway, field, insertDocument(field, schema), { input })
}

/** Creates the function that inserts many records. @internal */
export function insertMany(
  field: string,
  schema: string,
): (gateway: Gateway, input: unknown) => Promise<GatewayResult<GatewayAny>> {
  return (gateway, input) => mutate(gateway, field, insertManyDocument(field, schema), { input })
}

/** Creates the function of an update or a delete. @internal */
export function change(
  field: string,
  schema: string,
  kind: 'Update' | 'Delete',
  isMany?: boolean,
): (gateway: Gateway, where: unknown, input: unknown) => Promise<GatewayResult<GatewayAny>> {
  const document = changeDocument(field, schema, kind, isMany)
  return async (gateway, condition, input) => {
    const where =
      typeof condition === 'string' && condition !== '' ? { ItemId: { eq: condition } } : condition
    const empty = findEmptyPart(where, 'where', [])
    if (empty === undefined) return mutate(gateway, field, document, { where, input })
    const message = `${field}: ${empty} is empty, so the condition might match every record. Nothing was sent`
    return failure(message, 'CONDITION_EMPTY')
  }
}

/** JSON of requests with bigints. */
const exactJson = { parse: JSON.parse, stringify: printExactJson }

/** Sends a mutation, which fails if it is not acknowledged. */
async function mutate(
  gateway: Gateway,
  field: string,
  document: string,
  variables: GatewayVariables,
): Promise<GatewayResult<GatewayAny>> {
  const result = await request(gateway, document, variables, exactJson, field)
  if (!result.ok || result.data.acknowledged) return result
  const message = result.data.message ?? `${field} was not acknowledged`
  return { ok: false, errors: [{ message }], partial: result.data }
}

/**
 * Returns the path of a part of a condition that the gateway could ignore.
 *
 * @param above Conditions that contain this one.
 */
function findEmptyPart(
  where: unknown,
  path: string,
  above: readonly unknown[],
): string | undefined {
  if (!isFilled(where)) return path
  // The request reports a condition that contains itself.
  if (above.includes(where)) return undefined
  for (const [name, part] of Object.entries(where)) {
    const at = `${path}.${name}`
    const isJoined = name === 'and' || name === 'or'
    const empty = isJoined
      ? findEmptyCondition(part, at, [...above, where])
      : findEmptyFilter(part, at)
    if (empty !== undefined) return empty
  }
  return undefined
}

/** Returns the path of an empty one among the conditions of `and` or `or`. */
function findEmptyCondition(
  conditions: unknown,
  path: string,
  above: readonly unknown[],
): string | undefined {
  if (!Array.isArray(conditions) || conditions.length === 0) return path
  for (const [index, condition] of conditions.entries()) {
    const empty = findEmptyPart(condition, `${path}[${index}]`, above)
    if (empty !== undefined) return empty
  }
  return undefined
}

/**
 * Returns the path of a filter that is empty, or of a value of it that is lost. The filter of a
 * nested object has filters instead of values.
 */
function findEmptyFilter(filter: unknown, path: string): string | undefined {
  if (!isFilled(filter)) return path
  for (const [name, value] of Object.entries(filter)) {
    const at = `${path}.${name}`
    const isFilter = {}.toString.call(value) === '[object Object]'
    const lost = isFilter
      ? findEmptyFilter(value, at)
      : isEmptyOperand(value, name)
        ? at
        : undefined
    if (lost !== undefined) return lost
  }
  return undefined
}

const isFilled = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0

/**
 * Returns whether a value is empty, or becomes so in JSON: NaN and invalid dates become null,
 * which is a value only of `eq` and `neq`. Every text contains the empty one.
 */
function isEmptyOperand(value: unknown, operator: string): boolean {
  if (value === undefined) return true
  if (value === null) return operator !== 'eq' && operator !== 'neq'
  if (value === '') return ['contains', 'startsWith', 'endsWith'].includes(operator)
  if (Array.isArray(value))
    return value.length === 0 || value.some((one) => isEmptyOperand(one, operator))
  if (typeof value === 'number') return !Number.isFinite(value)
  return value instanceof Date && Number.isNaN(value.getTime())
}
