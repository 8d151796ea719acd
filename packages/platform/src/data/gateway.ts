import type { data as wire } from '@servicekit/contract'
import { asc } from 'drizzle-orm'
import {
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Kind,
} from 'graphql'
import type { Database, Tables } from '../database/database.ts'
import { statementSql } from '../database/statement-sql.ts'
import type { Statement, StatementResult } from '../database/statement.ts'
import { dataSchemas } from '../database/tables.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Call } from '../http/mount.ts'
import { Outdated } from '../projects/enter.ts'
import type { Project } from '../projects/project-directory.ts'
import { buildSchema } from './build-schema.ts'
import { documentReader, type ReadDocument } from './documents.ts'
import { tellError, validationError } from './gateway-error.ts'
import { buildModel } from './model.ts'
import { type GatewayContext, readMember } from './resolvers.ts'
import { readVariables } from './variables.ts'

/** Runs GraphQL operations on the data of projects. */
export interface Gateway {
  /** @throws Outdated when the project is not any more what was given. */
  readonly execute: (
    project: Project,
    request: wire.GatewayRequest,
    call: GatewayCall,
  ) => Promise<ExecutionResult>
}

/** The request on whose behalf an operation runs. */
type GatewayCall = Pick<Call, 'isRemembered' | 'send'>

interface Executable {
  readonly schema: GraphQLSchema
  readonly read: (query: string) => ReadDocument
}

/** The gateway over a database. Schemas are built once for each version of a project. */
export function gatewayOf(database: Database, options: ResolvedOptions): Gateway {
  const built = new Map<number, { readonly tag: string; readonly value: Promise<Executable> }>()

  const executableOf = (project: Project): Promise<Executable> => {
    const tag = `${project.schemasVersion} ${project.dialect.queryNaming}`
    const known = built.get(project.id)
    if (known?.tag === tag) return known.value
    const value = build(database, project, options.gateway)
    built.set(project.id, { tag, value })
    value.catch(() => built.delete(project.id))
    return value
  }

  return {
    execute: async (project, { query, variables }, call) => {
      const { schema, read } = await executableOf(project)
      const found = read(query)
      const result =
        'errors' in found
          ? { errors: found.errors }
          : await run(
              { database, options, project, schema, call },
              found.document,
              variables ?? {},
            ).catch(asResult)
      if (!result.errors) return result
      const outdated = result.errors.find(({ originalError }) => originalError instanceof Outdated)
      if (outdated) throw outdated.originalError
      const errors = result.errors.map((error) => tellError(error, options.onFault))
      return { ...result, errors }
    },
  }
}

async function build(
  database: Database,
  project: Project,
  limits: ResolvedOptions['gateway'],
): Promise<Executable> {
  const definitions = await database.scoped(
    project.id,
    (tables) => tables.select().from(dataSchemas).orderBy(asc(dataSchemas.position)),
    { isReadOnly: true },
  )
  const model = buildModel(
    definitions.map(({ definition }) => definition as wire.DataSchema),
    project.dialect.queryNaming,
  )
  const schema = buildSchema(model)
  return { schema, read: documentReader(schema, limits) }
}

type Document = Parameters<typeof execute>[0]['document']

interface Running {
  readonly database: Database
  readonly options: ResolvedOptions
  readonly project: Project
  readonly schema: GraphQLSchema
  readonly call: GatewayCall
}

async function run(
  { database, options, project, schema, call }: Running,
  document: Document,
  variables: Readonly<Record<string, unknown>>,
): Promise<ExecutionResult> {
  const variableValues = readVariables(variables)
  const { maxPageSize, maxCost, statementTimeoutMs } = options.gateway
  let cost = 0
  const spend = (more: number): void => {
    cost += more
    if (cost <= maxCost) return
    throw validationError(`The query costs more than ${maxCost}: rows of its pages times fields.`)
  }
  const shared = { project, maxPageSize, spend, now: options.now, newId: options.newId }
  const how = { statementTimeoutMs }
  const write: GatewayContext['write'] = (work) => database.scoped(project.id, work, how)
  const operation = getOperationAST(document)
  const roots = operation?.selectionSet.selections ?? []
  const isAlone = roots.length === 1 && roots[0]!.kind === Kind.FIELD
  // What does not confirm the project with all that it does begins with one that is read anew.
  if (operation?.operation === 'mutation' && call.isRemembered && !isAlone) {
    throw new Outdated('A mutation of several parts begins anew.')
  }
  const contextValue: GatewayContext = {
    ...shared,
    read: together((statements) =>
      call.send(statements, { ...how, isSnapshot: statements.length > 1 }),
    ),
    change: isAlone
      ? async (statement) => (await call.send([statement], how))[0]!
      : (statement) => write((tables) => executed(tables, statement)),
    write: async (work) => {
      if (call.isRemembered) throw new Outdated('A transaction begins anew.')
      return write(work)
    },
  }
  return execute({ schema, document, variableValues, contextValue, fieldResolver: readMember })
}

async function executed(tables: Tables, statement: Statement): Promise<StatementResult> {
  const { rows, rowCount } = await tables.execute(statementSql(statement))
  return { rows, count: rowCount ?? 0 }
}

/** What is wrong with a request is an answer; any other failure is one of ours. */
function asResult(error: unknown): ExecutionResult {
  if (error instanceof GraphQLError) return { errors: [error] }
  throw error
}

/** Fields resolve in one go: what they read is asked for in one piece. */
function together(
  send: (statements: readonly Statement[]) => Promise<readonly StatementResult[]>,
): GatewayContext['read'] {
  let waiting: Statement[] = []
  let sent: Promise<readonly StatementResult[]> | undefined
  return async (statement) => {
    const index = waiting.push(statement) - 1
    sent ??= Promise.resolve().then(() => {
      const statements = waiting
      waiting = []
      sent = undefined
      return send(statements)
    })
    return (await sent)[index]!
  }
}
