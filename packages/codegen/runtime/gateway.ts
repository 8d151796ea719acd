import { longsOfDocument } from './gateway-long.js'

/**
 * Address and credentials of requests. A plain object: spread it to change an option
 * for one call, `listProducts({ ...gateway, signal }, …)`. Redirects are refused, because they
 * would send key, headers and body to another address.
 */
export interface Gateway {
  /** Base URL of the instance, without a trailing slash: `https://api.example.com`. */
  readonly baseUrl: string
  /** Sent in the header `x-service-key`. */
  readonly projectKey: string
  /** Sent with every request, `authorization` for instance. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<GatewayFetched>) | undefined
  /** Credentials mode of fetch, `include` by default; `undefined` in runtimes without cookies. */
  readonly credentials?: 'include' | 'omit' | 'same-origin' | undefined
  /** Aborts the requests, and replaces their time limit of 30 seconds. */
  readonly signal?: AbortSignal | undefined
  /**
   * Sends requests instead of `fetch`, with the headers and the signal of the call.
   * `createGateway({ client })` of `@servicekit/client/gateway` sends them through the client.
   */
  readonly send?: ((request: GatewayRequest, call: Gateway) => Promise<GatewayResponse>) | undefined
}

/** The part of a response of `fetch` that is read. */
export interface GatewayFetched {
  readonly status: number
  text(): Promise<string>
}

/** Request to the gateway. */
export interface GatewayRequest {
  /** GraphQL document. */
  readonly query: string
  /** JSON of the document and its variables. */
  readonly body: string
}

/** Response to a request. Text, because parsing it rounds numbers beyond 2^53. */
export interface GatewayResponse {
  readonly status: number
  readonly text: string
}

/** `{ ok: true, data }`, or `{ ok: false, errors, partial }`. A call never rejects. */
export type GatewayResult<T> = GatewaySuccess<T> | GatewayFailure

export interface GatewaySuccess<T> {
  readonly ok: true
  readonly data: T
}

export interface GatewayFailure {
  readonly ok: false
  /** At least one. */
  readonly errors: readonly GatewayError[]
  /** Partial data of the response; undefined when there is none. */
  readonly partial: unknown
}

export interface GatewayError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  /** `code` is for example `AUTH_NOT_AUTHENTICATED` or `VALIDATION_ERROR`. */
  readonly extensions?: Readonly<Record<string, unknown>>
  /** The network error, the error of the client, or the status of a response that is no result. */
  readonly cause?: unknown
}

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

/** GraphQL document typed with its result and variables; a string at run time. */
export type GatewayDocument<D, V> = string & { readonly __apiType?: (variables: V) => D }

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

/**
 * Creates a gateway from its options.
 *
 * ```ts
 * const gateway = createGateway({ baseUrl: 'https://api.example.com', projectKey: 'P5c1…' })
 * ```
 */
export function createGateway(options: Gateway): Gateway {
  return options
}

/**
 * Creates a gateway that renews the session and retries once when the service does not
 * know the caller (`AUTH_NOT_AUTHENTICATED`, or HTTP 401). Mutations are retried too, since
 * nothing ran. Concurrent calls share one renewal. A refusal of a signed-in caller
 * (`AUTH_NOT_AUTHORIZED`) is final.
 *
 * ```ts
 * const gateway = withRenewal(createGateway(options), session.renew)
 * const machine = withRenewal(createGateway(options), async () => ({
 *   authorization: `Bearer ${await fetchToken()}`,
 * }))
 * ```
 *
 * @param renew Resolves with true when cookies were renewed, with headers to send from then on,
 *   or with false when it failed. An error counts as false.
 */
export function withRenewal(
  gateway: Gateway,
  renew: () => Promise<boolean | Readonly<Record<string, string>>>,
): Gateway {
  let headers: Readonly<Record<string, string>> = {}
  let renewals = 0
  let running: Promise<boolean> | undefined
  const renewOnce = async (): Promise<boolean> => {
    try {
      const renewed = await renew()
      if (typeof renewed === 'object') headers = renewed
      if (renewed) renewals++
      return renewed !== false
    } catch {
      return false
    }
  }
  const attempt = (request: GatewayRequest, call: Gateway): Promise<GatewayResponse> =>
    (gateway.send ?? sendByFetch)(request, { ...call, headers: { ...call.headers, ...headers } })
  return {
    ...gateway,
    send: async (request, call) => {
      const before = renewals
      const response = await attempt(request, call)
      if (!isUnauthenticated(response)) return response
      // Another call may have renewed the session while this one was in flight.
      if (renewals === before) {
        running ??= renewOnce().finally(() => (running = undefined))
        if (!(await running)) return response
      }
      return attempt(request, call)
    },
  }
}

function isUnauthenticated({ status, text }: GatewayResponse): boolean {
  if (status === 401) return true
  if (!text.includes('AUTH_NOT_AUTHENTICATED')) return false
  const result = readResponse({ status, text })
  return !result.ok && result.errors[0]?.extensions?.['code'] === 'AUTH_NOT_AUTHENTICATED'
}

/**
 * Runs any GraphQL document. `errors` is read before `data`. A value that JSON would drop or
 * change (undefined, NaN, an invalid date) fails before anything is sent; members of a mutation's
 * `input` may be undefined. A null root field without an error is a success, as its type says.
 *
 * ```ts
 * const result = await execute(gateway, listProductsDocument, { paging: { pageNo: 1, pageSize: 5 } })
 * ```
 */
export function execute<D = Record<string, unknown>, V = Record<string, unknown>>(
  gateway: Gateway,
  document: GatewayDocument<D, V>,
  variables?: V,
): Promise<GatewayResult<D>> {
  const { parse, variablesOf } = longsOfDocument(document)
  return request(gateway, document, variablesOf((variables ?? {}) as GatewayVariables), parse)
}

/**
 * Resolves with the data of a call, and throws where it failed.
 *
 * ```ts
 * const page = await orThrow(listProducts(gateway))
 * ```
 *
 * @throws GatewayOperationError with the errors of the failure.
 */
export async function orThrow<T>(result: GatewayResult<T> | Promise<GatewayResult<T>>): Promise<T> {
  const settled = await result
  if (settled.ok) return settled.data
  throw new GatewayOperationError(settled)
}

/** Thrown by {@link orThrow}; the message is that of the first error. */
export class GatewayOperationError extends Error {
  /** Code of the first error, such as `AUTH_NOT_AUTHENTICATED`; undefined if it has none. */
  readonly code: string | undefined
  readonly errors: readonly GatewayError[]
  readonly partial: unknown

  constructor(failure: GatewayFailure) {
    const [first] = failure.errors
    super(first?.message, { cause: first?.cause })
    this.name = 'GatewayOperationError'
    this.code = first?.extensions?.['code'] as string | undefined
    this.errors = failure.errors
    this.partial = failure.partial
  }
}

// The rest is used by generated modules. It serves every schema, so rows have no type here:
// each module declares the type of its own.

/** Variables of a document. @internal */
export type GatewayVariables = Readonly<Record<string, unknown>>

/** Value of any schema, whose type is declared where it is used. @internal */
export type GatewayAny = any

/** Selection and variables of a list. @internal */
export interface GatewayListCall {
  readonly select?: string | readonly string[] | undefined
  readonly where?: unknown
  readonly order?: unknown
  readonly paging?: unknown
}

/** List of any schema. @internal */
export type GatewayAnyList = (
  gateway: Gateway,
  options?: GatewayListCall,
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

/** Parses the text of a response. @internal */
export type GatewayParse = (text: string) => GatewayAny

/** Function of a list whose options have the types of its schema. */
type TypedList = (gateway: Gateway, options: GatewayAny) => Promise<GatewayResult<GatewayAny>>

/**
 * Creates the function of a list.
 *
 * @param fields Names of the fields that it selects by default.
 * @param parse Reads fields of type Long.
 * @internal
 */
export function list(
  field: string,
  schema: string,
  fields: string,
  parse?: GatewayParse,
): GatewayAnyList {
  return (gateway, { select = fields, ...variables } = {}) =>
    requestField(gateway, field, listDocument(field, schema, `${select}`), variables, parse)
}

/** @internal */
export function listDocument(field: string, schema: string, fields: string): GatewayAny {
  return `query($where:${schema}FilterInput,$order:[DynamicSortInput!],$paging:PaginationInput){${field}(where:$where,order:$order,paging:$paging){items{ItemId ${fields}}totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage}}`
}

/** Creates the function of a list with nested objects. @internal */
export function listNested(field: string, schema: string, parse?: GatewayParse): TypedList {
  const listFlat = list(field, schema, '', parse)
  return (gateway, { select = {}, ...options } = {}) =>
    listFlat(gateway, { ...options, select: printShape(select) })
}

/** Returns `{ Name: true, Home: { City: true } }` as `['Name', 'Home{City}']`. @internal */
export function printShape(shape: GatewayShape): readonly string[] {
  return Object.entries(shape).flatMap(([name, member]) => {
    if (member === true) return [name]
    const nested = printShape(member || {})
    return nested.length > 0 ? [`${name}{${nested}}`] : []
  })
}

/** @internal */
export function get(
  listRows: TypedList,
): (gateway: Gateway, itemId: string, options?: object) => Promise<GatewayResult<GatewayAny>> {
  return async (gateway, itemId, options) => {
    if (itemId === undefined) return failure('The ItemId is undefined', 'VALUE_INVALID')
    const result = await listRows(gateway, { ...options, where: { ItemId: { eq: itemId } } })
    return result.ok ? { ok: true, data: result.data.items?.[0] ?? null } : result
  }
}

/** Counts all rows without a condition; fails for an undefined one. @internal */
export function count(
  listRows: TypedList,
): (gateway: Gateway, ...conditions: readonly unknown[]) => Promise<GatewayResult<number>> {
  return async (gateway, ...conditions) => {
    const paging = { pageNo: 1, pageSize: 1 }
    const where = conditions.length > 0 && { where: conditions[0] }
    const result = await listRows(gateway, { ...where, select: [], paging })
    return result.ok ? { ok: true, data: result.data.totalCount } : result
  }
}

/** @internal */
export function insertDocument(field: string, schema: string): GatewayAny {
  return `mutation($input:${schema}InsertInput!){${field}(input:$input){acknowledged itemId totalImpactedData message}}`
}

/** @internal */
export function insert(
  field: string,
  schema: string,
): (gateway: Gateway, input: unknown) => Promise<GatewayResult<GatewayAny>> {
  return (gateway, input) => mutate(gateway, field, insertDocument(field, schema), { input })
}

/** Sends a mutation, which fails if it is not acknowledged. @internal */
export async function mutate(
  gateway: Gateway,
  field: string,
  query: string,
  variables: GatewayVariables,
): Promise<GatewayResult<GatewayAny>> {
  const result = await requestField(gateway, field, query, variables)
  if (!result.ok || result.data.acknowledged) return result
  const message = result.data.message ?? `${field} was not acknowledged`
  return { ok: false, errors: [{ message }], partial: result.data }
}

/** Sends a document and returns one field of its data, which may not be null. @internal */
export async function requestField(
  gateway: Gateway,
  field: string,
  query: string,
  variables: GatewayVariables,
  parse?: GatewayParse,
): Promise<GatewayResult<GatewayAny>> {
  const result = await request(gateway, query, variables, parse)
  if (!result.ok) return result
  const data = result.data[field]
  return data ? { ok: true, data } : failure(`No ${field} in the response`, 'RESPONSE_INVALID')
}

/** Sends a document with its variables and reads the response. Never rejects. @internal */
export async function request(
  gateway: Gateway,
  query: string,
  variables: GatewayVariables,
  parse?: GatewayParse,
): Promise<GatewayResult<GatewayAny>> {
  try {
    const body = `{"query":${JSON.stringify(query)},"variables":${printJson(variables, '')}}`
    return readResponse(await (gateway.send ?? sendByFetch)({ query, body }, gateway), parse)
  } catch (error) {
    const { message, code } = Object(error) as { message: string; code: unknown }
    // Errors with a code describe themselves: those of the client, and of invalid values.
    if (typeof code === 'string') return failure(message, code, error)
    return failure(`Request failed: ${error}`, 'REQUEST_FAILED', error)
  }
}

const failure = (message: string, code?: string, cause?: unknown): GatewayFailure => ({
  ok: false,
  errors: [{ message, extensions: { code }, cause }],
  partial: undefined,
})

const invalid = (problem: string): Error =>
  Object.assign(new Error(`${problem}. Nothing was sent`), { code: 'VALUE_INVALID' })

/** Sends a request through the gateway's `fetch`, or the global one. @internal */
export async function sendByFetch(
  { body }: GatewayRequest,
  gateway: Gateway,
): Promise<GatewayResponse> {
  const url = `${gateway.baseUrl}/data/v4/gateway`
  const headers = {
    'content-type': 'application/json',
    'x-service-key': gateway.projectKey,
    ...gateway.headers,
  }
  try {
    new Request(new URL(url, 'http://a'), { headers }).url
  } catch {
    // No cause: its message quotes the header, or a password in the URL.
    throw invalid('Invalid baseUrl, projectKey or header')
  }
  const response = await (gateway.fetch ?? fetch)(url, {
    credentials: 'include',
    signal: AbortSignal.timeout(30_000),
    // Its credentials and signal replace these.
    ...gateway,
    method: 'POST',
    // A redirect would send key, headers and body to another address.
    redirect: 'error',
    headers,
    body,
  } as RequestInit)
  return { status: response.status, text: await response.text() }
}

/** Reads the response to a document. `errors` takes precedence over `data`. */
function readResponse(
  { status, text }: GatewayResponse,
  parse: GatewayParse = JSON.parse,
): GatewayResult<GatewayAny> {
  let body: GatewayAny
  try {
    body = parse(text)
  } catch {
    // The error would quote the text, which may contain secrets.
  }
  const { data, errors, Errors: refusal } = Object(body)
  if (errors?.[0]) return { ok: false, errors, partial: data }
  if (data && (errors ?? []).length === 0 && status < 300) return { ok: true, data }
  // A request may be refused before it reaches the gateway.
  return failure(refusal?.Message ?? `No result (HTTP ${status})`, 'RESPONSE_INVALID', { status })
}

/**
 * Prints a value as JSON. JSON.stringify alone would drop undefined, so that a query returns every
 * row, and turn NaN and invalid dates into null, which clears a field. It has no form for a bigint.
 *
 * @param path Path of the value in the variables. Members of `input` may be undefined.
 * @param above Objects and lists that contain the value.
 */
function printJson(given: unknown, path: string, above: readonly unknown[] = []): string {
  if (typeof given === 'bigint') return `${given}`
  const toJSON = (given as { toJSON?: unknown } | null | undefined)?.toJSON
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given) : given
  const inside = [...above, value]
  if (above.includes(value)) throw invalid(`${path} is circular`)
  if (Array.isArray(value))
    return `[${Array.from(value, (item, index) => printJson(item, `${path}[${index}]`, inside))}]`
  if ({}.toString.call(value) === '[object Object]') {
    const members = Object.entries(value as object).flatMap(([name, member]) =>
      member === undefined && /^input\b/.test(path)
        ? []
        : `${JSON.stringify(name)}:${printJson(member, path ? `${path}.${name}` : name, inside)}`,
    )
    return `{${members}}`
  }
  const text = JSON.stringify(value)
  // Functions have no text, NaN and invalid dates are null, and promises and maps have no members.
  if (!text || text === '{}' || (text === 'null' && given !== null))
    throw invalid(`${path} is ${String(given)}`)
  return text
}

/**
 * Adds signals to a gateway for one request, which keeps its time limit.
 *
 * @internal
 */
export function withSignals(gateway: Gateway, ...signals: readonly AbortSignal[]): Gateway {
  const own = 'signal' in gateway ? gateway.signal : AbortSignal.timeout(30_000)
  return { ...gateway, signal: AbortSignal.any(own ? [...signals, own] : [...signals]) }
}
