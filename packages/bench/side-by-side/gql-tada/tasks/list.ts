import { execute, graphql } from '../client.js'

const ListProducts = graphql(`
  query ($where: ProductFilterInput, $order: [DynamicSortInput!], $paging: PaginationInput) {
    Products(where: $where, order: $order, paging: $paging) {
      items {
        ItemId
        Name
        Price
        Stock
      }
      totalCount
    }
  }
`)

export async function list(options: {
  search?: string
  categoryId?: string
  sort: 'Name' | 'Price'
  direction: 'ASC' | 'DESC'
  pageNo: number
}) {
  const { search, categoryId, sort, direction, pageNo } = options
  const { Products } = await execute(ListProducts, {
    where: { Name: { contains: search }, CategoryId: { eq: categoryId } },
    order: [{ field: sort, direction }],
    paging: { pageNo, pageSize: 20 },
  })
  return { rows: Products?.items ?? [], total: Products?.totalCount ?? 0 }
}
