import { findShapeProblem, listDocument, printShape } from './gateway-documents.js'
import { failure, request } from './gateway-request.js'
import type { Gateway, GatewayResult } from './gateway.js'
import type { GatewayAny, GatewayAnyList, GatewayListCall, GatewayJson } from './gateway-types.js'

/**
 * Creates the function of a list.
 *
 * @param fields Names of the fields that it selects by default.
 * @param json Prints and reads fields of type Long.
 * @internal
 */
export function list(
  field: string,
  schema: string,
  fields: string,
  json?: GatewayJson,
): GatewayAnyList {
  return (gateway, { select, ...variables }: GatewayListCall = {}) => {
    const document = listDocument(field, schema, `${select ?? fields}`)
    return request(gateway, document, variables, json, field)
  }
}

/** Creates the function of a list with nested objects. @internal */
export function listNested(field: string, schema: string, json?: GatewayJson): GatewayAnyList {
  const listFlat = list(field, schema, '', json)
  return async (gateway, { select, ...variables }) => {
    const shape = select ?? {}
    const problem = findShapeProblem(shape)
    if (problem) return failure(problem, 'VALUE_INVALID')
    return listFlat(gateway, { ...variables, select: printShape(shape) })
  }
}

/**
 * Returns whether each row of a page has the ItemId that its type promises. Lists do not check it,
 * which would add 47 bytes to every bundle.
 *
 * @internal
 */
export const hasItemIds = ({ items }: GatewayAny): boolean =>
  items?.every?.((row: GatewayAny) => typeof row?.ItemId === 'string')

/** Message for a page whose rows have none. @internal */
export const noItemId = 'No ItemId in the rows of the response'

/** Creates the function that reads one row by its ItemId. @internal */
export function get(
  listRows: GatewayAnyList,
): (gateway: Gateway, itemId: string, options?: object) => Promise<GatewayResult<GatewayAny>> {
  return async (gateway, itemId, options) => {
    if (itemId === undefined) return failure('The ItemId is undefined', 'VALUE_INVALID')
    const result = await listRows(gateway, { ...options, where: { ItemId: { eq: itemId } } })
    if (!result.ok) return result
    if (!hasItemIds(result.data)) return failure(noItemId, 'RESPONSE_INVALID')
    return { ok: true, data: result.data.items[0] ?? null }
  }
}

/**
 * Creates the function that counts rows: all of them without a condition. It fails for an undefined
 * one.
 *
 * @internal
 */
export function count(
  listRows: GatewayAnyList,
): (gateway: Gateway, ...conditions: readonly unknown[]) => Promise<GatewayResult<number>> {
  return async (gateway, ...conditions) => {
    const where = conditions.length > 0 && { where: conditions[0] }
    const paging = { pageNo: 1, pageSize: 1 }
    const result = await listRows(gateway, { ...where, select: [], paging })
    if (!result.ok) return result
    const { totalCount } = result.data
    // JSON.parse has rounded a count beyond 2^53.
    if (Number.isSafeInteger(totalCount)) return { ok: true, data: totalCount }
    return failure('No exact totalCount in the response', 'RESPONSE_INVALID')
  }
}
