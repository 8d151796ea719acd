import { once, type MutationKind } from '@servicekit/core'
import { parseExactJson } from '@servicekit/core/exact-json'
import { getNamedType, type GraphQLFieldResolver, type GraphQLResolveInfo } from 'graphql'
import type { RunStatement } from '../database/database.ts'
import type { Project } from '../database/project-directory.ts'
import {
  type ListArguments,
  listQuery,
  readPaging,
  selectCount,
  selectPage,
} from './list-records.ts'
import { costs, type Spend, spendRows } from './cost.ts'
import type { ReadFilter } from './dynamic-query.ts'
import type { DataModel, TypeModel } from './model.ts'
import { narrow } from './scalars.ts'
import { memberOf, properties } from './system-fields.ts'
import {
  type ChangeConditions,
  deleteRecords,
  insertRecords,
  updateRecords,
  type Values,
} from './write-records.ts'
import type { ActionResponse } from '../http/action-response.ts'

interface MutationArguments extends Omit<ChangeConditions, 'isMany'> {
  readonly input?: Values | readonly Values[] | null
}

/** Context shared by the resolvers of one request. */
export interface GatewayContext {
  readonly project: Project
  readonly maxPageSize: number
  readonly now: () => Date
  /** Id of the caller, stored in the records that the request writes. */
  readonly author: string
  readonly newId: () => string
  readonly spend: Spend
  readonly readFilter: ReadFilter
  /**
   * Runs a statement in the scope of the project. All statements of a query share one
   * snapshot; each of a mutation has a transaction of its own.
   */
  readonly runStatement: RunStatement
}

/**
 * Resolves a list. Checks its arguments immediately; fetches and counts rows only if they
 * are selected.
 */
export function resolveList(
  type: TypeModel,
  args: ListArguments,
  { project, maxPageSize, runStatement, spend, readFilter }: GatewayContext,
  info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
): Readonly<Record<string, unknown>> {
  const page = readPaging(args, maxPageSize)
  const query = listQuery(type, project.id, args, { spend, readFilter })
  spend(costs.list + page.pageSize * costs.row)
  const items = once(async () => {
    const { rows } = await runStatement(selectPage(query, page))
    const records = rows.map((row) => ({
      ...row,
      // The driver would round integers beyond 2^53 - 1.
      [properties]: parseExactJson(row[properties] as string),
    }))
    spendRows(records, info, spend)
    return records
  })
  const count = once(async () => {
    const { rows } = await runStatement(selectCount(query))
    return rows[0]!['n'] as number
  })
  const pages = async () => Math.ceil((await count()) / page.pageSize)
  return {
    items,
    totalCount: count,
    pageNo: page.pageNo,
    pageSize: page.pageSize,
    totalPages: pages,
    hasNextPage: async () => page.pageNo < (await pages()),
    hasPreviousPage: page.pageNo > 1,
  }
}

/** Runs a mutation in a transaction of its own. */
export async function resolveMutation(
  kind: MutationKind,
  type: TypeModel,
  types: DataModel['types'],
  { input, ...conditions }: MutationArguments,
  context: GatewayContext,
): Promise<ActionResponse> {
  context.spend(costs.mutation)
  const isMany = kind.endsWith('Many')
  const values = (input ?? (kind === 'insertMany' ? [] : {})) as Values | readonly Values[]
  switch (kind) {
    case 'insert':
    case 'insertMany': {
      const inputs = [values].flat() as readonly Values[]
      return withInsertCount(await insertRecords(type, types, inputs, context, isMany), context)
    }
    case 'update':
    case 'updateMany':
      return updateRecords(type, types, values as Values, { ...conditions, isMany }, context)
    default:
      return deleteRecords(type, { ...conditions, isMany }, context)
  }
}

/**
 * Applies the `insertCount` dialect: some instances acknowledge an insert with a count of
 * 0.
 */
const withInsertCount = (response: ActionResponse, { project }: GatewayContext): ActionResponse =>
  project.dialect.insertCount === 'zero' ? { ...response, totalImpactedData: 0 } : response

/** Resolves a field of a record, or calls the function that fetches it. */
export const readMember: GraphQLFieldResolver<unknown, GatewayContext> = (
  source,
  _args,
  _context,
  { fieldName, returnType },
) => {
  const value = memberOf(source, fieldName)
  if (typeof value === 'function') return (value as () => unknown)()
  return narrow(value, getNamedType(returnType).name)
}
