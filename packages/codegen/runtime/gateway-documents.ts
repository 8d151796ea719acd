import type { GatewayShape } from './gateway-types.js'

// Every document that generated code sends is printed here. Minified, because the browser sends it.

/** @internal */
export const pageFields = 'totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage'

/** Fields of a MutationResult. @internal */
export const resultFields = 'acknowledged itemId totalImpactedData message'

/** Fields of a BulkMutationResult. @internal */
export const bulkResultFields = 'acknowledged totalImpactedData message itemIds'

/** @param fields Selection of the rows, besides ItemId. @internal */
export function listDocument(field: string, schema: string, fields: string): string {
  return `query($where:${schema}FilterInput,$order:[DynamicSortInput!],$paging:PaginationInput){${field}(where:$where,order:$order,paging:$paging){items{ItemId ${fields}}${pageFields}}}`
}

/**
 * Document of a page that follows another. With the variable `before` and the name `<field>Before`,
 * it also reads the ItemIds of the page before again: a new one there belongs to a row that moved
 * and was missed.
 *
 * @internal
 */
export function nextPageDocument(field: string, schema: string, fields: string): string {
  const list = listDocument(field, schema, fields)
  const before = `${field}Before:${field}(where:$where,order:$order,paging:$before){items{ItemId}}`
  return list.replace('){', ',$before:PaginationInput){').replace(/}$/, `${before}}`)
}

/** Returns `{ Name: true, Home: { City: true } }` as `['Name', 'Home{City}']`. @internal */
export function printShape(shape: GatewayShape): readonly string[] {
  return Object.entries(shape).flatMap(([name, member]) => {
    if (member === true) return [name]
    const nested = printShape(member || {})
    return nested.length > 0 ? [`${name}{${nested}}`] : []
  })
}

/**
 * Returns the problem of a shape that cannot be printed; undefined if there is none.
 *
 * @param above Shapes that contain this one.
 * @internal
 */
export function findShapeProblem(
  shape: GatewayShape,
  path = 'select',
  above: readonly GatewayShape[] = [],
): string | undefined {
  const inside = [...above, shape]
  for (const [name, member] of Object.entries(shape)) {
    if (!member || member === true) continue
    const at = `${path}.${name}`
    if (typeof member !== 'object') return `${at} must be true or an object. Nothing was sent`
    if (inside.includes(member)) return `${at} is circular. Nothing was sent`
    const problem = findShapeProblem(member, at, inside)
    if (problem) return problem
  }
  return undefined
}

/** @internal */
export function insertDocument(field: string, schema: string): string {
  return `mutation($input:${schema}InsertInput!){${field}(input:$input){${resultFields}}}`
}

/** @internal */
export function insertManyDocument(field: string, schema: string): string {
  return `mutation($input:[${schema}InsertInput!]!){${field}(input:$input){${bulkResultFields}}}`
}

/** Document of an update or a delete. @internal */
export function changeDocument(
  field: string,
  schema: string,
  kind: 'Update' | 'Delete',
  isMany?: boolean,
): string {
  const fields = isMany ? bulkResultFields : resultFields
  return `mutation($where:${schema}FilterInput!,$input:${schema}${kind}Input!){${field}(where:$where,input:$input){${fields}}}`
}
