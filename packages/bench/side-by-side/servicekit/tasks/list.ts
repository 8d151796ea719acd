import { gateway } from '../client.js'
import { orThrow } from '../generated/gateway.js'
import { omitUndefined } from '../generated/gateway-input.js'
import { listProducts } from '../generated/product.js'

export async function list(options: {
  search?: string
  categoryId?: string
  sort: 'Name' | 'Price'
  direction: 'ASC' | 'DESC'
  pageNo: number
}) {
  const { search, categoryId, sort, direction, pageNo } = options
  const page = await orThrow(
    listProducts(gateway, {
      select: ['Name', 'Price', 'Stock'],
      where: omitUndefined({ Name: { contains: search }, CategoryId: { eq: categoryId } }),
      order: [{ field: sort, direction }],
      paging: { pageNo, pageSize: 20 },
    }),
  )
  return { rows: page.items, total: page.totalCount }
}
