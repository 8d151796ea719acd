import type { data as wire } from '@servicekit/contract'
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql'
import type { Database, RunStatement, Tables } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Caller } from '../identity/caller.ts'
import { defaultOrganizationId } from '../identity/organizations.ts'
import type { Project } from '../projects/project-directory.ts'
import { executableSchema } from './build-schema.ts'
import type { Definitions } from './definitions.ts'
import { denialOf } from './access-levels.ts'
import type { Needs } from './document-access.ts'
import { documentReader, type ReadDocument } from './documents.ts'
import { accessError, tellError, validationError } from './gateway-error.ts'
import { nobody } from './insert-record.ts'
import { buildModel } from './model.ts'
import { type GatewayContext, readMember } from './resolvers.ts'
import { readVariables } from './variables.ts'

/** Executes GraphQL operations on the data of projects. */
export interface Gateway {
  readonly execute: (
    project: Project,
    request: wire.GatewayRequest,
    call: GatewayCall,
  ) => Promise<ExecutionResult>
}

/** Request that runs an operation. */
interface GatewayCall {
  readonly caller: Caller | undefined
}

type Reader = (query: string) => ReadDocument

/** Creates the gateway of a database. A schema is built once for each version of a project. */
export function gatewayOf(
  database: Database,
  options: ResolvedOptions,
  definitions: Definitions,
): Gateway {
  const built = new Map<number, { readonly tag: string; readonly value: Promise<Reader> }>()

  const readerOf = (project: Project): Promise<Reader> => {
    const tag = `${project.schemasVersion} ${project.dialect.queryNaming}`
    const known = built.get(project.id)
    if (known?.tag === tag) return known.value
    const value = build(database, definitions, project, options.gateway)
    built.set(project.id, { tag, value })
    value.catch(() => built.delete(project.id))
    return value
  }

  return {
    execute: async (project, { query, variables, operationName }, call) => {
      const read = await readerOf(project)
      const found = read(query)
      const result =
        'errors' in found
          ? { errors: found.errors() }
          : await run(
              { database, options, project, call, operationName, ...found },
              variables ?? {},
            ).catch(asResult)
      if (!result.errors) return result
      const errors = result.errors.map((error) => tellError(error, options.onFault))
      return { ...result, errors }
    },
  }
}

async function build(
  database: Database,
  definitions: Definitions,
  project: Project,
  limits: ResolvedOptions['gateway'],
): Promise<Reader> {
  const stored = await database.scoped(
    project.id,
    (tables) => definitions.read(tables, project.id),
    { isReadOnly: true },
  )
  const model = buildModel(
    stored.map(({ definition }) => definition),
    project.dialect.queryNaming,
    definitions.memo,
  )
  return documentReader(executableSchema(model), limits)
}

interface Running {
  readonly database: Database
  readonly options: ResolvedOptions
  readonly project: Project
  readonly schema: GraphQLSchema
  readonly call: GatewayCall
  readonly document: DocumentNode
  readonly needsOf: (variables: Readonly<Record<string, unknown>>) => Needs
  readonly operationName: wire.GatewayRequest['operationName']
}

async function run(
  { database, options, project, schema, call, document, needsOf, operationName }: Running,
  variables: Readonly<Record<string, unknown>>,
): Promise<ExecutionResult> {
  const { maxPageSize, maxCost, statementTimeoutMs } = options.gateway
  const { values: variableValues, cost: variableCost } = readVariables(variables, maxCost)
  const organizationId = defaultOrganizationId(project)
  for (const [level, what] of needsOf(variableValues)) {
    const denial = denialOf(level, call.caller, organizationId)
    if (denial) throw accessError(denial, what)
  }
  let cost = variableCost
  const spend = (more: number): void => {
    cost += more
    if (cost <= maxCost) return
    throw validationError(
      `The request costs more than ${maxCost}. Select fewer rows or fields, or raise gateway.maxCost.`,
    )
  }
  const shared: Omit<GatewayContext, 'runStatement'> = {
    project,
    maxPageSize,
    spend,
    now: options.now,
    newId: options.newId,
    author: call.caller?.id ?? nobody,
  }
  // GraphiQL sends an empty string if there is no name.
  const name = operationName || null
  const executeWith = (runStatement: RunStatement) =>
    execute({
      schema,
      document,
      operationName: name,
      variableValues,
      contextValue: { ...shared, runStatement },
      fieldResolver: readMember,
      // Each error prints the rejected value.
      options: { maxCoercionErrors: 3 },
    })
  const scope = { statementTimeoutMs }
  if (getOperationAST(document, name)?.operation === OperationTypeNode.MUTATION) {
    return executeWith((statement) =>
      database.scoped(project.id, (tables) => tables.execute(statement), scope),
    )
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
    { ...scope, isReadOnly: true },
  )
}

/** Converts a request error to a result; rethrows any other error. */
function asResult(error: unknown): ExecutionResult {
  if (error instanceof GraphQLError) return { errors: [error] }
  throw error
}

/**
 * Runs statements one after the other, because a connection runs one at a time. After a
 * failure, the following ones fail with the same error.
 */
function inTurn(tables: Tables): { runStatement: RunStatement; done: () => Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve()
  return {
    runStatement: (statement) => {
      const result = last.then(() => tables.execute(statement))
      last = result
      return result
    },
    done: () => last.catch(() => {}),
  }
}
