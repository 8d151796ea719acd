import type { data as wire } from '@servicekit/contract'
import { asc } from 'drizzle-orm'
import {
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
} from 'graphql'
import type { Database, Tables } from '../database/database.ts'
import { dataSchemas } from '../database/tables.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import { buildSchema } from './build-schema.ts'
import { documentReader, type ReadDocument } from './documents.ts'
import { tellError, validationError } from './gateway-error.ts'
import { buildModel } from './model.ts'
import { type GatewayContext, readMember } from './resolvers.ts'
import { readVariables } from './variables.ts'

/** Runs GraphQL operations on the data of projects. */
export interface Gateway {
  readonly execute: (project: Project, request: wire.GatewayRequest) => Promise<ExecutionResult>
}

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
    execute: async (project, { query, variables }) => {
      const { schema, read } = await executableOf(project)
      const found = read(query)
      const result =
        'errors' in found
          ? { errors: found.errors }
          : await run(database, options, project, schema, found.document, variables ?? {}).catch(
              asResult,
            )
      if (!result.errors) return result
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

async function run(
  database: Database,
  options: ResolvedOptions,
  project: Project,
  schema: GraphQLSchema,
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
  const runWith = (access: Pick<GatewayContext, 'read' | 'write'>) =>
    execute({
      schema,
      document,
      variableValues,
      contextValue: { ...shared, ...access },
      fieldResolver: readMember,
    })
  const refused = async (): Promise<never> => {
    throw new GraphQLError('A query cannot write.')
  }
  const write: GatewayContext['write'] = (work) =>
    database.scoped(project.id, work, { statementTimeoutMs })
  const operation = getOperationAST(document)?.operation
  if (operation === 'mutation') return runWith({ read: write, write })
  // Without an operation to run there is nothing to open a transaction for.
  if (operation === undefined) return runWith({ read: refused, write: refused })
  return database.scoped(
    project.id,
    async (tables) => runWith({ read: inTurn(tables), write: refused }),
    { isReadOnly: true, statementTimeoutMs },
  )
}

/** What is wrong with a request is an answer; any other failure is one of ours. */
function asResult(error: unknown): ExecutionResult {
  if (error instanceof GraphQLError) return { errors: [error] }
  throw error
}

/** Fields resolve at once, and a connection does one query after the other. */
function inTurn(tables: Tables): GatewayContext['read'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(() => work(tables))
    last = next.catch(() => {})
    return next
  }
}
