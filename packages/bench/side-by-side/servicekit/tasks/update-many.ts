import { gateway } from '../client.js'
import { orThrow } from '../generated/gateway.js'
import { updateManyProduct } from '../generated/product.js'

export async function updateMany(categoryId: string) {
  const { totalImpactedData } = await orThrow(
    updateManyProduct(gateway, { CategoryId: { eq: categoryId } }, { Status: 'archived' }),
  )
  return totalImpactedData
}
