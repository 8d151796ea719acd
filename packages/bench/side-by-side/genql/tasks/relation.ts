import { client } from '../client.js'

export async function relation() {
  const { Products } = await client.query({
    Products: {
      __args: {
        order: [{ field: 'CreatedDate', direction: 'DESC' }],
        paging: { pageNo: 1, pageSize: 10 },
      },
      items: { Name: true, CategoryId: true },
    },
  })
  const products = Products?.items ?? []
  const ids = products.flatMap(({ CategoryId }) => CategoryId ?? [])
  const { Categories } = await client.query({
    Categories: {
      __args: { where: { ItemId: { in: ids } }, paging: { pageNo: 1, pageSize: 10 } },
      items: { ItemId: true, Name: true },
    },
  })
  return products.map(({ Name, CategoryId }) => ({
    name: Name,
    category: Categories?.items.find(({ ItemId }) => ItemId === CategoryId)?.Name ?? null,
  }))
}
