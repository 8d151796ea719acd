import { type FieldNode, type GraphQLFieldResolver, type GraphQLResolveInfo, Kind } from 'graphql'
import type { Tables } from '../database/database.ts'
import type { Statement, StatementResult } from '../database/statement.ts'
import type { Project } from '../projects/project-directory.ts'
import type { ActionResponse } from './action-response.ts'
import { type ChangeArguments, deleteRecords, updateRecords } from './change-records.ts'
import type { Values } from './check-input.ts'
import { insertRecord, insertRecords } from './insert-record.ts'
import {
  countStatement,
  type ListArguments,
  listQuery,
  pageStatement,
  properties,
  readPage,
} from './list-records.ts'
import type { DataModel, MutationKind, TypeModel } from './model.ts'

export type { ListArguments } from './list-records.ts'

/** Arguments of any mutation. */
interface MutationArguments extends Omit<ChangeArguments, 'input'> {
  readonly input?: Values | readonly Values[] | null
}

/** What the resolvers of one request share. */
export interface GatewayContext {
  readonly project: Project
  readonly maxPageSize: number
  readonly now: () => Date
  readonly newId: () => string
  /** Counts what a request costs. @throws GraphQLError when it is too much. */
  readonly spend: (cost: number) => void
  /** Reads in the request's one snapshot. */
  readonly read: (statement: Statement) => Promise<StatementResult>
  /** Writes by one statement, in a transaction of its own. */
  readonly change: (statement: Statement) => Promise<StatementResult>
  /** Writes by several, in a transaction of its own. */
  readonly write: <T>(work: (tables: Tables) => Promise<T>) => Promise<T>
}

/** A value of a result, or the function that fetches it if it is asked for. */
type Lazy = () => unknown

/**
 * Resolves a list: arguments are checked at once, rows are fetched and counted
 * only if they are selected.
 */
export function resolveList(
  type: TypeModel,
  args: ListArguments,
  { project, maxPageSize, read, spend }: GatewayContext,
  info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
): Readonly<Record<string, unknown>> {
  const page = readPage(args.paging, maxPageSize)
  spend(page.pageSize * leavesOf(info))
  const query = listQuery(type, project.id, args)
  let counted: Promise<number> | undefined
  const count = () =>
    (counted ??= read(countStatement(query)).then(({ rows }) => rows[0]!['n'] as number))
  const pages = async () => Math.ceil((await count()) / page.pageSize)
  const members: Record<string, number | boolean | Lazy> = {
    items: async () => (await read(pageStatement(query, page))).rows,
    totalCount: count,
    pageNo: page.pageNo,
    pageSize: page.pageSize,
    totalPages: pages,
    hasNextPage: async () => page.pageNo < (await pages()),
    hasPreviousPage: page.pageNo > 1,
  }
  return members
}

/** Resolves a mutation. */
export async function resolveMutation(
  kind: MutationKind,
  type: TypeModel,
  types: DataModel['types'],
  { where, input }: MutationArguments,
  context: GatewayContext,
): Promise<ActionResponse> {
  const one = (input ?? {}) as Values
  const change: ChangeArguments = { where: where ?? null, input: one }
  switch (kind) {
    case 'insert':
      return counted(await insertRecord(type, types, one, context), context)
    case 'insertMany':
      return counted(
        await insertRecords(type, types, (input ?? []) as readonly Values[], context),
        context,
      )
    case 'update':
    case 'updateMany':
      return updateRecords(type, types, change, context, kind === 'updateMany')
    default:
      return deleteRecords(type, change, context, kind === 'deleteMany')
  }
}

/** Some instances acknowledge an insert and count 0. */
const counted = (answer: ActionResponse, { project }: GatewayContext): ActionResponse =>
  project.dialect.insertCount === 'zero' ? { ...answer, totalImpactedData: 0 } : answer

/** Fields that a list selects at its leaves: what each of its rows is made of. */
function leavesOf({
  fieldNodes,
  fragments,
}: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): number {
  const count = (set: FieldNode['selectionSet']): number =>
    (set?.selections ?? []).reduce((sum, one) => {
      if (one.kind === Kind.FIELD) return sum + (one.selectionSet ? count(one.selectionSet) : 1)
      if (one.kind === Kind.INLINE_FRAGMENT) return sum + count(one.selectionSet)
      return sum + count(fragments[one.name.value]?.selectionSet)
    }, 0)
  return fieldNodes.reduce((sum, { selectionSet }) => sum + count(selectionSet), 0)
}

/**
 * Reads a field of a record: its own member, never one that every object has
 * (a field may be called `constructor`), and calls what is fetched on demand.
 * What a row does not hold itself is among its properties.
 */
export const readMember: GraphQLFieldResolver<unknown, GatewayContext> = (
  source,
  _args,
  _context,
  { fieldName },
) => {
  const own = memberOf(source, fieldName)
  const value = own === undefined ? memberOf(memberOf(source, properties), fieldName) : own
  return typeof value === 'function' ? (value as Lazy)() : value
}

const memberOf = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Record<string, unknown>)[name]
    : undefined
