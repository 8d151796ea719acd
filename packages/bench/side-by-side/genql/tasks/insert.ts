import { client } from '../client.js'

export async function insert(name: string, sku: string, price: number) {
  const { insertProduct } = await client.mutation({
    insertProduct: {
      __args: { input: { Name: name, Sku: sku, Price: price, Status: 'draft' } },
      itemId: true,
    },
  })
  return insertProduct?.itemId ?? null
}
