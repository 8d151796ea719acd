import { client } from '../client.js'
import type { Product } from '../generated/index.js'

export async function columns(names: readonly (keyof Product)[]): Promise<Partial<Product>[]> {
  const { Products } = await client.query({
    Products: {
      __args: { paging: { pageNo: 1, pageSize: 100 } },
      items: Object.fromEntries(names.map((name) => [name, true])),
    },
  })
  return Products?.items ?? []
}
