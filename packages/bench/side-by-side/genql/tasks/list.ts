import { client } from '../client.js'

export async function list(options: {
  search?: string
  categoryId?: string
  sort: 'Name' | 'Price'
  direction: 'ASC' | 'DESC'
  pageNo: number
}) {
  const { search, categoryId, sort, direction, pageNo } = options
  const { Products } = await client.query({
    Products: {
      __args: {
        where: { Name: { contains: search }, CategoryId: { eq: categoryId } },
        order: [{ field: sort, direction }],
        paging: { pageNo, pageSize: 20 },
      },
      items: { ItemId: true, Name: true, Price: true, Stock: true },
      totalCount: true,
    },
  })
  return { rows: Products?.items ?? [], total: Products?.totalCount ?? 0 }
}
