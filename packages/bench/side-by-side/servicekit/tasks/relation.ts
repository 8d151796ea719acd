import { gateway } from '../client.js'
import { orThrow } from '../generated/gateway.js'
import { listProducts, ProductReferences } from '../generated/product.js'

export async function relation() {
  const { items } = await orThrow(
    listProducts(gateway, {
      select: ['Name', 'CategoryId'],
      order: [{ field: 'CreatedDate', direction: 'DESC' }],
      paging: { pageNo: 1, pageSize: 10 },
    }),
  )
  return Promise.all(
    items.map(async ({ Name, CategoryId }) => ({
      name: Name,
      category: await orThrow(ProductReferences.CategoryId.label(gateway, CategoryId)),
    })),
  )
}
