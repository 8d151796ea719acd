import type { Gateway, GatewayResult } from './gateway.js'

/** One page of rows. */
export interface GatewayPage<T> extends GatewayPageInfo {
  readonly items: readonly T[]
}

/** Position of a page among all pages. */
export interface GatewayPageInfo {
  readonly totalCount: number
  readonly pageNo: number
  readonly pageSize: number
  readonly totalPages: number
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

/** Page to read. Without paging the gateway returns 10 rows. */
export interface GatewayPaging {
  /** 1-based. */
  readonly pageNo: number
  /** Rows per page. */
  readonly pageSize: number
}

export interface GatewaySort<F> {
  readonly field: F
  /** `ASC` by default. */
  readonly direction?: 'ASC' | 'DESC'
}

/**
 * Any nested selection: `{ Name: true, Home: { City: true } }`. The shape type of each
 * schema defines its members.
 */
export interface GatewayShape {
  // Interfaces such as `ProductShape` are assignable to an index signature of this type alone.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly [member: string]: any
}

/**
 * Members K of T, which are optional, except ItemId, if the length L of the selection is not
 * certain. A condition has no alias, so editors show the members.
 */
export type GatewayPick<T, K extends keyof T, L = 1> = number extends L
  ? { readonly ItemId: string } & { readonly [P in K]?: T[P] }
  : { readonly [P in K]: T[P] }

/** System fields of every entity. */
export interface GatewayRecord {
  readonly ItemId: string
  /** `DateTime`. */
  readonly CreatedDate: string | null
  /** `DateTime`. */
  readonly LastUpdatedDate: string | null
  readonly CreatedBy: string | null
  readonly LastUpdatedBy: string | null
  readonly Language: string | null
  readonly OrganizationId: string | null
  readonly Tags: readonly (string | null)[] | null
}

/** Conditions on the fields of {@link GatewayRecord}. */
export interface GatewayRecordWhere {
  readonly ItemId?: StringFilter
  readonly CreatedDate?: DateTimeFilter
  readonly LastUpdatedDate?: DateTimeFilter
  readonly CreatedBy?: StringFilter
  readonly LastUpdatedBy?: StringFilter
  readonly Language?: StringFilter
  readonly OrganizationId?: StringFilter
}

/** The fields of {@link GatewayRecord} that an insert may set; the service sets the others. */
export interface GatewayRecordInput extends GatewayRecordUpdate {
  readonly ItemId?: string | null | undefined
}

/** The fields of {@link GatewayRecord} that an update may set. */
export interface GatewayRecordUpdate {
  readonly Language?: string | null | undefined
  readonly OrganizationId?: string | null | undefined
  readonly Tags?: readonly string[] | null | undefined
}

/**
 * Reads one entity by its ItemId; `null` if it does not exist or is not visible.
 *
 * A: all fields, D: those that it selects by default.
 */
export interface GatewayGet<R, A, D extends A = A> {
  <const S extends readonly A[] = readonly [D]>(
    gateway: Gateway,
    itemId: string,
    options?: {
      /** Fields to select; ItemId is always included. */
      readonly select?: S | undefined
    },
  ): Promise<GatewayResult<GatewayPick<R, (S[number] | 'ItemId') & keyof R, S['length']> | null>>
}

/** Counts the entities that match a condition. */
export interface GatewayCount<W> {
  (gateway: Gateway, where?: W): Promise<GatewayResult<number>>
}

/** Iterates over all pages: `for await (const { items } of …)`. */
export interface GatewayWalk<R, W, A, D extends A = A> {
  <const S extends readonly A[] = readonly [D]>(
    gateway: Gateway,
    options?: GatewayWalkOptions<W, A> & {
      /** Fields to select; ItemId is always included. */
      readonly select?: S | undefined
    },
  ): AsyncGenerator<
    GatewayPage<GatewayPick<R, (S[number] | 'ItemId') & keyof R, S['length']>>,
    void,
    undefined
  >
}

/** Options of a walk. See {@link GatewayMoved} for rows that move during it. */
export interface GatewayWalkOptions<W, A> {
  /** Conditions on the rows. */
  readonly where?: W
  /** Order of the rows, by ItemId by default; ItemId is always the last criterion. */
  readonly order?: readonly GatewaySort<A>[] | undefined
  /** Rows per request, 100 by default. */
  readonly pageSize?: number | undefined
  /** Pages to prefetch, 1 by default. */
  readonly prefetch?: number | undefined
  /** Aborts the walk and its requests, as leaving the loop does. */
  readonly signal?: AbortSignal | undefined
  /** Called once at the end with the rows that moved. Without it, a missed row throws. */
  readonly onMoved?: ((moved: GatewayMoved) => void) | undefined
}

/**
 * Rows that a walk missed or met twice, because rows were inserted, removed or changed
 * during it. Each request also reads the ItemIds of the previous page, to detect a row
 * that moved there.
 */
export interface GatewayMoved {
  /** ItemIds that were received again. They are delivered once. */
  readonly twice: readonly string[]
  /** ItemIds that were detected and not delivered. */
  readonly missing: readonly string[]
  /** Lower bound of the number of rows that were not delivered. */
  readonly missed: number
}

/** Result of a mutation of one record. A `totalImpactedData` of 0 is not a failure. */
export interface MutationResult {
  readonly acknowledged: boolean
  readonly itemId: string | null
  readonly totalImpactedData: number
  readonly message: string | null
}

/** A GeoJSON geometry: `{ type: 'Point', coordinates: [13.4, 52.5] }`. */
export interface GeoJson {
  readonly type: string
  readonly coordinates?: unknown
  readonly [member: string]: unknown
}

/** An ISO 8601 date and time, or a `Date`. */
export type DateTimeInput = string | Date

export interface StringFilter {
  readonly eq?: string | null
  readonly neq?: string | null
  readonly contains?: string
  readonly startsWith?: string
  readonly endsWith?: string
  readonly in?: readonly string[]
}

export interface IdFilter {
  readonly eq?: string | null
  readonly neq?: string | null
  readonly in?: readonly string[]
}

export interface NumberFilter {
  readonly eq?: number | null
  readonly neq?: number | null
  readonly gt?: number
  readonly gte?: number
  readonly lt?: number
  readonly lte?: number
  readonly in?: readonly number[]
}

/** A whole number. A `bigint` is sent exactly, a number only up to 2^53. */
export type LongInput = number | bigint

/** A whole number with the option `long: 'string'`: digits, which are sent as a number. */
export type LongStringInput = string | LongInput

/** Conditions on a field of type Long. */
export interface LongFilter {
  readonly eq?: LongInput | null
  readonly neq?: LongInput | null
  readonly gt?: LongInput
  readonly gte?: LongInput
  readonly lt?: LongInput
  readonly lte?: LongInput
  readonly in?: readonly LongInput[]
}

/** Conditions on a field of type Long with the option `long: 'string'`. */
export interface LongStringFilter {
  readonly eq?: LongStringInput | null
  readonly neq?: LongStringInput | null
  readonly gt?: LongStringInput
  readonly gte?: LongStringInput
  readonly lt?: LongStringInput
  readonly lte?: LongStringInput
  readonly in?: readonly LongStringInput[]
}

export interface DateTimeFilter {
  readonly eq?: DateTimeInput | null
  readonly neq?: DateTimeInput | null
  readonly gt?: DateTimeInput
  readonly gte?: DateTimeInput
  readonly lt?: DateTimeInput
  readonly lte?: DateTimeInput
  readonly in?: readonly DateTimeInput[]
}

export interface BooleanFilter {
  readonly eq?: boolean | null
  readonly neq?: boolean | null
}

// The rest is used by the other files of the runtime and by generated modules.

/**
 * Value of any schema: a row, a page or an input. The runtime serves every schema, so the types of
 * values are declared in the generated modules, to which its functions are assigned.
 *
 * @internal
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type GatewayAny = any

/** Variables of a document. @internal */
export type GatewayVariables = Readonly<Record<string, unknown>>

/** Prints requests and parses responses, as the global JSON does. @internal */
export interface GatewayJson {
  readonly parse: (text: string) => GatewayAny
  readonly stringify: (value: unknown) => string
}

/** Selection and variables of a list. @internal */
export interface GatewayListCall {
  readonly select?: readonly string[] | undefined
  readonly where?: unknown
  readonly order?: unknown
  readonly paging?: unknown
}

/** List of any schema, with a flat or nested selection. @internal */
export type GatewayAnyList = (
  gateway: Gateway,
  options?: GatewayAny,
) => Promise<GatewayResult<GatewayAny>>

/**
 * Fields of type Long of a schema: `true`, and those of its nested objects, by a function because
 * modules may import each other.
 *
 * @internal
 */
export interface GatewayLongs {
  // TypeScript widens `true` of a field with the name `constructor`.
  readonly [field: string]: boolean | (() => GatewayLongs)
}
