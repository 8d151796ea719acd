import type { GraphQLFieldResolver } from 'graphql'
import type { Tables } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import { insertRecord } from './insert-record.ts'
import { countRows, type ListArguments, listQuery, listRows, readPage } from './list-records.ts'
import type { DataModel, TypeModel } from './model.ts'

export type { ListArguments } from './list-records.ts'

/** Arguments of an insert. */
export interface InsertArguments {
  readonly input?: Readonly<Record<string, unknown>> | null
}

/** What the resolvers of one request share. */
export interface GatewayContext {
  readonly project: Project
  readonly maxPageSize: number
  readonly now: () => Date
  readonly newId: () => string
  /** Reads in the request's one snapshot; reads take turns on its connection. */
  readonly read: <T>(work: (tables: Tables) => Promise<T>) => Promise<T>
  /** Writes in a transaction of its own. */
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
  { project, maxPageSize, read }: GatewayContext,
): Readonly<Record<string, unknown>> {
  const page = readPage(args.paging, maxPageSize)
  const query = listQuery(type, project.id, args)
  let counted: Promise<number> | undefined
  const count = () => (counted ??= read((tables) => countRows(tables, query)))
  const pages = async () => Math.ceil((await count()) / page.pageSize)
  const members: Record<string, number | boolean | Lazy> = {
    items: () => read((tables) => listRows(tables, query, page)),
    totalCount: count,
    pageNo: page.pageNo,
    pageSize: page.pageSize,
    totalPages: pages,
    hasNextPage: async () => page.pageNo < (await pages()),
    hasPreviousPage: page.pageNo > 1,
  }
  return members
}

/** Resolves an insert. */
export const resolveInsert = (
  type: TypeModel,
  types: DataModel['types'],
  { input }: InsertArguments,
  context: GatewayContext,
): Promise<unknown> => insertRecord(type, types, input ?? {}, context)

/**
 * Reads a field of a record: its own member, never one that every object has
 * (a field may be called `constructor`), and calls what is fetched on demand.
 */
export const readMember: GraphQLFieldResolver<unknown, GatewayContext> = (
  source,
  _args,
  _context,
  { fieldName },
) => {
  if (typeof source !== 'object' || source === null) return null
  if (!Object.hasOwn(source, fieldName)) return null
  const value = (source as Record<string, unknown>)[fieldName]
  return typeof value === 'function' ? (value as Lazy)() : value
}
