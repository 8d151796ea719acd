import { mutate } from './gateway.js'
import type {
  BooleanFilter,
  DateTimeFilter,
  Gateway,
  GatewayResult,
  IdFilter,
  LongFilter,
  LongStringFilter,
  MutationResult,
  NumberFilter,
  StringFilter,
} from './gateway.js'

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
export interface GatewayChangeMany<C, W, I> {
  <K extends keyof C>(
    gateway: GatewayIf<K>,
    where: GatewayFields<C, K>,
    input: I,
  ): Promise<GatewayResult<BulkMutationResult>>
  (
    gateway: Gateway,
    where: GatewayCondition<C, W>,
    input: I,
  ): Promise<GatewayResult<BulkMutationResult>>
}

const one = 'acknowledged itemId totalImpactedData message'
const many = 'acknowledged totalImpactedData message itemIds'

/** @internal */
export const insertManyDocument: any = (field: string, schema: string) =>
  `mutation($input:[${schema}InsertInput!]!){${field}(input:$input){${many}}}`

/** @internal */
export const insertMany: any =
  (field: string, schema: string) => (gateway: Gateway, input: unknown) =>
    mutate(gateway, field, insertManyDocument(field, schema), { input })

/** @internal */
export const changeDocument: any = (
  field: string,
  schema: string,
  kind: 'Update' | 'Delete',
  isMany?: boolean,
) =>
  `mutation($where:${schema}FilterInput!,$input:${schema}${kind}Input!){${field}(where:$where,input:$input){${isMany ? many : one}}}`

/** @internal */
export const change: any =
  (field: string, schema: string, kind: 'Update' | 'Delete', isMany?: boolean) =>
  async (gateway: Gateway, given: unknown, input: unknown) => {
    const where = typeof given === 'string' ? given && { ItemId: { eq: given } } : given
    const empty = emptyPart(where, 'where')
    if (empty === undefined)
      return mutate(gateway, field, changeDocument(field, schema, kind, isMany), { where, input })
    const message = `${field}: ${empty} is empty, so the condition might match every record. Nothing was sent`
    const error = { message, extensions: { code: 'CONDITION_EMPTY' } }
    return { ok: false, errors: [error], partial: undefined }
  }

/** Returns the path of a part of a condition that the gateway could ignore. */
const emptyPart: any = (where: any, path: string, above: readonly unknown[] = []) => {
  if (!isFilled(where)) return path
  // The request reports a condition that contains itself.
  if (above.includes(where)) return undefined
  for (const [name, part] of (Object as any).entries(where)) {
    const at = `${path}.${name}`
    if (name === 'and' || name === 'or') {
      if (!Array.isArray(part) || part.length === 0) return at
      for (const [index, one] of part.entries()) {
        const empty = emptyPart(one, `${at}[${index}]`, [...above, where])
        if (empty !== undefined) return empty
      }
    } else {
      if (!isFilled(part)) return at
      for (const [operator, value] of (Object as any).entries(part))
        if (isLost(value, operator)) return `${at}.${operator}`
    }
  }
}

const isFilled: any = (value: any) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0

/**
 * Returns whether a value is empty, or becomes so in JSON: NaN and invalid dates become null,
 * which is a value only of `eq` and `neq`. Every text contains the empty one.
 */
const isLost: any = (value: any, operator: string) => {
  if (value === null) return operator !== 'eq' && operator !== 'neq'
  if (value === '') return /^(?:contains|startsWith|endsWith)$/.test(operator)
  if (Array.isArray(value)) return value.length === 0 || value.some((one) => isLost(one))
  if (typeof value === 'number') return !Number.isFinite(value)
  return value === undefined || (value instanceof Date && Number.isNaN(value.getTime()))
}
