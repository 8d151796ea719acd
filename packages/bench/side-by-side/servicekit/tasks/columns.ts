import { gateway } from '../client.js'
import { orThrow } from '../generated/gateway.js'
import { listProducts, type ProductField } from '../generated/product.js'

export async function columns(select: readonly ProductField[]) {
  const paging = { pageNo: 1, pageSize: 100 }
  const { items } = await orThrow(listProducts(gateway, { select, paging }))
  return items
}
