import type { data as wire } from '@servicekit/contract'
import type { records } from '@servicekit/contract/control'
import { isObject, once } from '@servicekit/core'
import {
  type DocumentNode,
  execute as executeDocument,
  type ExecutionResult,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql'
import QuickLRU from 'quick-lru'
import type { Database, RunStatement, Tables } from '../database/database.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Caller } from '../http/caller.ts'
import { defaultOrganizationId } from '../identity/organizations.ts'
import type { Project } from '../database/project-directory.ts'
import { denialOf } from './access-levels.ts'
import { type GatewaySchema, gatewaySchema } from './build-schema.ts'
import { budget } from './cost.ts'
import { argumentNeeds, type Needs, selectionNeeds } from './document-access.ts'
import { checkLimits } from './document-limits.ts'
import { filterReader } from './dynamic-query.ts'
import { accessError, shownError, validationError } from './gateway-error.ts'
import { importRecords, type RecordImport } from './import-records.ts'
import { buildModel } from './model.ts'
import { type GatewayContext, readMember } from './resolvers.ts'
import { type Definitions, readDefinitions } from './schemas.ts'
import { narrowVariables, readVariables } from './variables.ts'
import { anonymousAuthor } from './write-records.ts'

/** Document ready to be executed, or its errors. */
type ReadDocument =
  | {
      readonly document: DocumentNode
      readonly gateway: GatewaySchema
      /** Access levels that the document requires, apart from those of its arguments. */
      readonly needs: Needs
    }
  | { readonly errors: readonly GraphQLError[] }

/** Number of cached documents of a project, and the maximum length of each in characters. */
const maxDocuments = 200
const maxDocumentLength = 10_000

/**
 * Maximum number of lines for which errors have locations. GraphQL computes each location
 * by counting lines from the start.
 */
const maxLinesWithLocations = 500

/** Number of projects whose schemas are cached. */
const maxSchemas = 100

/** Gateway of a database. */
export interface Gateway {
  /** Runs a document. */
  readonly execute: (
    project: Project,
    request: wire.GatewayRequest,
    caller: Caller | undefined,
  ) => Promise<ExecutionResult>
  /** Inserts many records, all or none. @throws NotFound, Conflict */
  readonly importRecords: (
    project: Project,
    author: string,
    given: RecordImport,
  ) => Promise<records.ImportedRecords>
}

/**
 * Creates the gateway of a database. The schema of a project is built once for each
 * version; the request reads the version with its project.
 */
export function gatewayOf(database: Database, options: ResolvedOptions): Gateway {
  const schemas = new QuickLRU<string, Promise<ProjectSchema>>({ maxSize: maxSchemas })
  const definitions = new QuickLRU<number, Definitions>({ maxSize: maxSchemas })

  const schemaOf = (project: Project): Promise<ProjectSchema> => {
    const key = [project.id, project.schemasVersion, project.dialect.queryNaming].join(' ')
    const cached = schemas.get(key)
    if (cached) return cached
    const building = buildSchema(database, project, definitions)
    schemas.set(key, building)
    building.catch(() => schemas.delete(key))
    return building
  }

  const execute: Gateway['execute'] = async (project, request, caller) => {
    const schema = await schemaOf(project)
    const { query } = request
    const read = schema.documents.get(query) ?? readDocument(schema, query, options.gateway)
    if (query.length <= maxDocumentLength) schema.documents.set(query, read)
    const result =
      'errors' in read
        ? read
        : await run(database, options, { project, caller, request, ...read }).catch(asResult)
    if (!result.errors) return result
    return { ...result, errors: result.errors.map((one) => shownError(one, options.onError)) }
  }

  return {
    execute,
    importRecords: async (project, author, given) => {
      const gateway = (await schemaOf(project)).whole()
      const { now, newId } = options
      return importRecords({ database, gateway, project, now, newId, author }, given)
    },
  }
}

type ProjectSchema = Awaited<ReturnType<typeof buildSchema>>

/** @param cache definitions of each project's previous version, by its id. */
async function buildSchema(
  database: Database,
  project: Project,
  cache: Pick<Map<number, Definitions>, 'get' | 'set'>,
) {
  const known = cache.get(project.id) ?? new Map()
  const definitions = await database.scoped(
    project.id,
    (tables) => readDefinitions(tables, known),
    { isReadOnly: true },
  )
  cache.set(project.id, definitions)
  const model = buildModel([...definitions.values()], project.dialect.queryNaming)
  const roots = [...model.types.values()].flatMap(({ query, mutations }) =>
    [query ?? [], Object.values(mutations)].flat(),
  )
  const parts = new QuickLRU<string, GatewaySchema>({ maxSize: maxDocuments })
  return {
    whole: once(() => gatewaySchema(model)),
    /** Builds the part that a document with these fields uses. */
    partOf: (fields: ReadonlySet<string>): GatewaySchema => {
      const names = roots.filter((name) => fields.has(name))
      const key = names.join(' ')
      const part = parts.get(key) ?? gatewaySchema(model, new Set(names))
      parts.set(key, part)
      return part
    },
    /** Documents that were sent before. */
    documents: new QuickLRU<string, ReadDocument>({ maxSize: maxDocuments }),
  }
}

/** Parses, limits and validates a document. */
function readDocument(
  { whole, partOf }: ProjectSchema,
  query: string,
  limits: ResolvedOptions['gateway'],
): ReadDocument {
  try {
    const noLocation =
      query.split(/[\n\r]/, maxLinesWithLocations + 1).length > maxLinesWithLocations
    const document = parse(query, { maxTokens: limits.maxTokens, noLocation })
    checkLimits(document, limits)
    const fields = fieldNames(document)
    const part = fields.has('__schema') || fields.has('__type') ? whole() : partOf(fields)
    if (validate(part.schema, document, specifiedRules, { maxErrors: 1 }).length === 0) {
      return { document, gateway: part, needs: selectionNeeds(document, part) }
    }
    // Only the whole schema suggests names that the document could have meant.
    const errors = validate(whole().schema, document, specifiedRules, { maxErrors: 20 })
    return { errors }
  } catch (error) {
    // The parser is recursive, so a deeply nested document may overflow the stack.
    if (error instanceof RangeError) {
      return { errors: [validationError('The query nests too deeply.')] }
    }
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  }
}

function fieldNames(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>()
  visit(document, { Field: ({ name }) => void names.add(name.value) })
  return names
}

/** Request whose document is valid. */
type ValidRequest = Exclude<ReadDocument, { readonly errors: unknown }> & {
  readonly project: Project
  readonly caller: Caller | undefined
  readonly request: wire.GatewayRequest
}

async function run(
  database: Database,
  options: ResolvedOptions,
  { project, caller, request, gateway, document, needs }: ValidRequest,
): Promise<ExecutionResult> {
  const { maxPageSize, maxCost, statementTimeoutMs } = options.gateway
  const { schema } = gateway
  const spend = budget(maxCost)
  const readFilter = filterReader(spend)
  const variables = readVariables(request.variables ?? {}, spend)
  const authorize = (required: Needs): void => {
    for (const [level, operation] of required) {
      const denial = denialOf(level, caller, defaultOrganizationId(project))
      if (denial) throw accessError(denial, operation)
    }
  }
  authorize(needs)
  // GraphiQL sends an empty string if there is no name.
  const operationName = request.operationName || null
  const operation = getOperationAST(document, operationName)
  const variableValues = operation ? narrowVariables(variables, operation, schema) : variables
  if (operation) {
    const definitions = operation.variableDefinitions ?? []
    // Access levels depend on coerced arguments; `execute` accepts only variables that are not
    // coerced yet. Each error prints the rejected value.
    const { errors, coerced } = getVariableValues(schema, definitions, variableValues, {
      maxErrors: 3,
    })
    if (errors) return { errors }
    authorize(argumentNeeds(gateway, document, operation, coerced, readFilter))
  }
  const shared: Omit<GatewayContext, 'runStatement'> = {
    project,
    maxPageSize,
    now: options.now,
    newId: options.newId,
    author: caller?.id ?? anonymousAuthor,
    spend,
    readFilter,
  }
  const executeWith = (runStatement: RunStatement) =>
    executeDocument({
      schema,
      document,
      operationName,
      variableValues,
      contextValue: { ...shared, runStatement },
      fieldResolver: readMember,
    })
  if (operation?.operation === OperationTypeNode.MUTATION) {
    const result = await executeWith((statement) =>
      database.scoped(project.id, (tables) => tables.execute(statement), { statementTimeoutMs }),
    )
    const cause = result.errors?.map(({ originalError }) => originalError).find(isUnavailable)
    // Repeating a request of which a part was saved would save that part twice.
    if (cause && !Object.values(result.data ?? {}).some(isObject)) throw cause
    return result
  }
  return database.scoped(
    project.id,
    async (tables) => {
      const reads = inTurn(tables)
      const result = await executeWith(reads.runStatement)
      // A failed field may end the execution before its siblings.
      await reads.done()
      return result
    },
    { statementTimeoutMs, isReadOnly: true, mayLag: true },
  )
}

/** Converts a request error to a result; rethrows any other error. */
function asResult(error: unknown): ExecutionResult {
  if (error instanceof GraphQLError) return { errors: [error] }
  throw error
}

/**
 * Runs statements one after the other, because a connection runs one at a time. After a failure,
 * the following ones fail with the same error. `done` throws it if the database was unavailable.
 */
function inTurn(tables: Tables): { runStatement: RunStatement; done: () => Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve()
  return {
    runStatement: (statement) => {
      const result = last.then(() => tables.execute(statement))
      last = result
      return result
    },
    done: () =>
      last.catch((error: unknown) => {
        if (isUnavailable(error)) throw error
      }),
  }
}
