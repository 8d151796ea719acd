import { client } from '../client.js'

export async function get(id: string) {
  const { Products } = await client.query({
    Products: {
      __args: { where: { ItemId: { eq: id } }, paging: { pageNo: 1, pageSize: 1 } },
      items: { Name: true, Description: true, Stock: true },
    },
  })
  const product = Products?.items[0]
  if (product === undefined) return null
  return { ...product, summary: product.Description?.slice(0, 80) ?? '' }
}
