/** Data gateway of a deployed instance: see instance.ts. */
import { buildSchema, graphql } from 'graphql'

type Row = Record<string, unknown>

const systemFields = [
  ['ItemId', 'String'],
  ['CreatedDate', 'DateTime'],
  ['LastUpdatedDate', 'DateTime'],
  ['CreatedBy', 'String'],
  ['LastUpdatedBy', 'String'],
  ['Language', 'String'],
  ['OrganizationId', 'String'],
  ['Tags', 'String', true],
] as const

const ownFields = [
  ['Name', 'String'],
  ['Price', 'Float'],
  ['Serial', 'Long'],
] as const

/** The listing names insert, update and delete only; the bulk operations exist all the same. */
const schemas = [
  {
    id: 's1',
    schemaName: 'Category',
    collectionName: 'Categorys',
    schemaType: 1,
    querySchema: 'Categorys',
    mutationSchemas: ['insertCategory', 'updateCategory', 'deleteCategory'],
    fields: [...systemFields, ...ownFields].map(([name, type, isArray = false]) => ({
      name,
      type,
      isArray,
      description: '',
      fields: [],
    })),
  },
]

const sdl = `
scalar Long
scalar DateTime
enum SortDirection { ASC DESC }
type Category { ${members()} }
type CategoryResult { items: [Category!]! totalCount: Int! pageNo: Int! pageSize: Int! totalPages: Int! hasNextPage: Boolean! hasPreviousPage: Boolean! }
input PaginationInput { pageNo: Int pageSize: Int }
input DynamicSortInput { field: String! direction: SortDirection }
input DynamicQueryInput { filter: String sort: String pageNo: Int pageSize: Int }
input StringOperationFilterInput { eq: String neq: String contains: String startsWith: String endsWith: String in: [String] }
input NumberOperationFilterInput { eq: Float neq: Float gt: Float gte: Float lt: Float lte: Float in: [Float] }
input DateTimeOperationFilterInput { eq: DateTime neq: DateTime gt: DateTime gte: DateTime lt: DateTime lte: DateTime in: [DateTime] }
input CategoryFilterInput { ItemId: StringOperationFilterInput CreatedDate: DateTimeOperationFilterInput LastUpdatedDate: DateTimeOperationFilterInput CreatedBy: StringOperationFilterInput LastUpdatedBy: StringOperationFilterInput Language: StringOperationFilterInput OrganizationId: StringOperationFilterInput Name: StringOperationFilterInput Price: NumberOperationFilterInput Serial: StringOperationFilterInput or: [CategoryFilterInput] and: [CategoryFilterInput] }
input CategoryInsertInput { ItemId: String Name: String Price: Float Serial: Long Tags: [String] }
input CategoryUpdateInput { Name: String Price: Float Serial: Long Tags: [String] }
input CategoryDeleteInput { isHardDelete: Boolean! }
type ActionResponse { acknowledged: Boolean! itemId: String totalImpactedData: Long! message: String }
type Query { getCategorys(where: CategoryFilterInput, order: [DynamicSortInput!], paging: PaginationInput, input: DynamicQueryInput): CategoryResult }
type Mutation {
  insertCategory(input: CategoryInsertInput): ActionResponse
  insertManyCategory(input: [CategoryInsertInput]): ActionResponse
  updateCategory(filter: String, where: CategoryFilterInput, input: CategoryUpdateInput): ActionResponse
  updateManyCategory(filter: String, where: CategoryFilterInput, input: CategoryUpdateInput): ActionResponse
  deleteCategory(filter: String, where: CategoryFilterInput, input: CategoryDeleteInput): ActionResponse
  deleteManyCategory(filter: String, where: CategoryFilterInput, input: CategoryDeleteInput): ActionResponse
}`

function members(): string {
  const all: readonly (readonly [string, string, boolean?])[] = [...systemFields, ...ownFields]
  return all.map(([name, type, isArray]) => `${name}: ${isArray ? `[${type}]` : type}`).join(' ')
}

interface Where {
  readonly where?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Creates a gateway without rows. */
export function deployedGateway() {
  const schema = buildSchema(sdl)
  const rows: Row[] = []
  let count = 0
  /** Without a condition, the first row. */
  const find = ({ where = {} }: Where): Row[] =>
    rows.filter((row) =>
      Object.entries(where).every(([name, { eq, contains }]) =>
        eq === undefined ? String(row[name]).includes(String(contains)) : row[name] === eq,
      ),
    )
  const done = (found: readonly Row[], impacted: number, message: string) => ({
    acknowledged: found.length > 0,
    itemId: found[0]?.['ItemId'] ?? null,
    totalImpactedData: impacted,
    message: found.length > 0 ? message : 'No data found',
  })
  const root = {
    getCategorys({
      paging,
      ...where
    }: Where & { readonly paging?: { readonly pageNo?: number; readonly pageSize?: number } }) {
      const found = find(where)
      // One member alone is ignored.
      const { pageNo = 1, pageSize = 10 } = paging?.pageNo && paging.pageSize ? paging : {}
      const items = found.slice((pageNo - 1) * pageSize, pageNo * pageSize)
      const totalPages = Math.ceil(found.length / pageSize)
      return {
        items,
        totalCount: found.length,
        pageNo,
        pageSize,
        totalPages,
        hasNextPage: pageNo < totalPages,
        hasPreviousPage: pageNo > 1,
      }
    },
    insertCategory({ input }: { readonly input: Row }) {
      count++
      const row = { ItemId: `c${count}`, CreatedDate: '2026-01-01T00:00:00Z', ...input }
      rows.push(row)
      // Acknowledged, and still no impacted rows.
      return done([row], 0, 'Data inserted')
    },
    updateCategory({ input, ...where }: Where & { readonly input: Row }) {
      const found = find(where).slice(0, 1)
      for (const row of found) Object.assign(row, input)
      return done(found, found.length, 'Data updated')
    },
    deleteCategory(where: Where) {
      const found = find(where).slice(0, 1)
      for (const row of found) rows.splice(rows.indexOf(row), 1)
      return done(found, found.length, 'Data deleted')
    },
  }
  return {
    schemas,
    /** Executes a document; introspection requires an authenticated caller. */
    async execute(json: string, isAuthenticated: boolean) {
      const { query, variables } = JSON.parse(json) as { query: string; variables?: Row }
      if (!isAuthenticated) {
        const what = query.includes('__schema') ? 'introspect the schema' : 'read the data'
        const message = `you are not authorized to ${what}`
        return { status: 401, body: { errors: [{ message }] } }
      }
      return {
        body: await graphql({ schema, source: query, variableValues: variables, rootValue: root }),
      }
    },
  }
}
