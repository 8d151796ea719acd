import { isObject, type MutationKind, parseJson, toInstant, unknownName } from '@servicekit/core'
import { parseExactJson, printExactJson } from '@servicekit/core/exact-json'
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  graphql,
  Kind,
  parse,
} from 'graphql'
import { parseLock } from '../lockfile.ts'
import type { QueryNaming, SchemaModel } from '../model.ts'
import { normaliseListing } from '../normalise.ts'
import { modelOf } from '../read-source.ts'
import type { MemoryRecord } from './conditions.ts'
import { executableSchema, readMember, type Resolvers } from './executable-schema.ts'
import { type ListArguments, listPage } from './list.ts'
import { narrowVariables, withLongs } from './longs.ts'
import { mutate, type MutationArguments, type MutationContext, toRecord } from './mutate.ts'

/** Options of {@link createMemoryGateway}. */
export interface MemoryGatewayOptions {
  /** Content of `gateway.lock.json`, or a schema listing. */
  readonly listing: unknown
  /** Records by schema name, in insertion order. Missing system fields are added. */
  readonly records?: Readonly<Record<string, readonly object[]>> | undefined
  /** As for `generate`. */
  readonly queryNaming?: QueryNaming | undefined
  /** Maximum number of records of a page and of an insert; 1000 by default. */
  readonly maxPageSize?: number | undefined
  /** Value of CreatedDate and LastUpdatedDate; the current time by default. */
  readonly now?: (() => Date) | undefined
  /** Value of CreatedBy and LastUpdatedBy; `anonymous` by default. */
  readonly author?: string | undefined
  /** Value of Language; `en-US` by default. */
  readonly language?: string | undefined
  /** Value of OrganizationId; empty by default, as in a project without an organization. */
  readonly organizationId?: string | undefined
}

/** Gateway without a service. Pass it to `createGateway` of the generated code. */
export interface MemoryGateway {
  readonly baseUrl: string
  readonly projectKey: string
  /** Responds to a request to the gateway, and with 404 to others. */
  readonly fetch: (request: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Returns the records of a schema in insertion order. */
  readonly records: (schema: string) => readonly MemoryRecord[]
}

/**
 * Creates a data gateway in memory for unit tests. It executes every query and mutation as the
 * platform does: conditions, order, paging, required fields and messages. It does not check who
 * calls, and does not limit the cost of a request. ItemIds are deterministic.
 *
 * ```ts
 * const memory = createMemoryGateway({ listing: lock, records: { Product: [makeProduct()] } })
 * const gateway = createGateway(memory)
 * await listProducts(gateway, { where: { Price: { gt: 5 } } })
 * ```
 *
 * @throws CodegenError LISTING_INVALID
 * @throws TypeError if `records` names an unknown schema.
 */
export function createMemoryGateway(options: MemoryGatewayOptions): MemoryGateway {
  const { queryNaming = 'as-given', maxPageSize = 1000, now = () => new Date() } = options
  const listing = readListing(options.listing)
  const model = modelOf(normaliseListing(listing), 'memory', { queryNaming })
  const entities = model.schemas.filter(({ kind }) => kind === 'entity')
  const stored = new Map(entities.map(({ name }) => [name, new Map<string, MemoryRecord>()]))
  const recordsOf = (schema: string): Map<string, MemoryRecord> => {
    const records = stored.get(schema)
    if (records === undefined)
      throw new TypeError(unknownName('schema', schema, [...stored.keys()]))
    return records
  }
  let lastId = 0
  const contextOf = (schema: SchemaModel): MutationContext => ({
    schemas: model.schemas,
    records: recordsOf(schema.name),
    maxPageSize,
    now,
    // Factories count from 00000000-0000-4000-8000-000000000001.
    newId: () => `10000000-0000-4000-8000-${(++lastId).toString(16).padStart(12, '0')}`,
    defaults: {
      Language: options.language ?? 'en-US',
      OrganizationId: options.organizationId ?? '',
    },
    author: options.author ?? 'anonymous',
  })
  for (const [name, records] of Object.entries(options.records ?? {})) {
    const target = recordsOf(name)
    const schema = entities.find((one) => one.name === name)!
    for (const given of records) {
      const record = toRecord(
        withLongs(schema, withInstants(schema, given as MemoryRecord), model.schemas),
        contextOf(schema),
      )
      target.set(record['ItemId'] as string, record)
    }
  }
  const resolvers: Record<string, Resolvers[string]> = {}
  for (const schema of entities) {
    const context = contextOf(schema)
    if (schema.list) {
      resolvers[schema.list.field] = (args: ListArguments) =>
        listPage(schema, [...context.records.values()], args, maxPageSize)
    }
    for (const [kind, operation] of Object.entries(schema.mutations)) {
      resolvers[operation.field] = (args: MutationArguments) =>
        mutate(kind as MutationKind, schema, args, context)
    }
  }
  const schema = executableSchema(model, resolvers)
  const execute = async (body: unknown): Promise<ExecutionResult> => {
    if (!isObject(body) || typeof body['query'] !== 'string') {
      return { errors: [new GraphQLError('The body has no query.')] }
    }
    const { query, variables } = body as { readonly query: string; readonly variables?: unknown }
    return graphql({
      schema,
      source: query,
      variableValues: narrowVariables(variables, parsed(query), schema),
      fieldResolver: readMember,
    })
  }
  return {
    baseUrl: 'http://memory.test',
    projectKey: 'memory',
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (new URL(request.url).pathname !== '/data/v4/gateway') {
        return new Response(null, { status: 404 })
      }
      const { data, errors } = await execute(parseJson(await request.text(), parseExactJson))
      const json = printExactJson({ data, ...(errors && { errors: errors.map(withCode) }) })
      return new Response(json, { headers: { 'content-type': 'application/json' } })
    },
    records: (name) => [...recordsOf(name).values()],
  }
}

/** A lock contains the listing in a form of its own. */
const readListing = (listing: unknown): unknown =>
  isObject(listing) && 'lockVersion' in listing
    ? parseLock(JSON.stringify(listing)).listing
    : listing

/** Returns an empty document for one that `graphql` reports as invalid. */
function parsed(query: string): DocumentNode {
  try {
    return parse(query)
  } catch {
    return { kind: Kind.DOCUMENT, definitions: [] }
  }
}

function withInstants({ fields }: SchemaModel, record: MemoryRecord): MemoryRecord {
  const copy: Record<string, unknown> = { ...record }
  for (const { name, scalar } of fields) {
    const value = copy[name]
    if (scalar?.name !== 'DateTime') continue
    if (typeof value === 'string') copy[name] = toInstant(value) ?? value
    if (value instanceof Date) copy[name] = value.toISOString()
  }
  return copy
}

const withCode = (error: GraphQLError): unknown => ({
  message: error.message,
  locations: error.locations,
  path: error.path,
  extensions: {
    ...error.extensions,
    code:
      // Without extensions, those of graphql 15 are undefined.
      (error.extensions as Partial<GraphQLError['extensions']> | undefined)?.['code'] ??
      (error.originalError as Partial<GraphQLError> | undefined)?.extensions?.['code'] ??
      'VALIDATION_ERROR',
  },
})
