import { gateway } from '../client.js'
import { orThrow } from '../generated/gateway.js'
import { deleteManyProduct } from '../generated/product.js'

export async function deleteMany(before: Date) {
  const where = { Status: { eq: 'draft' }, CreatedDate: { lt: before } }
  const { totalImpactedData } = await orThrow(
    deleteManyProduct(gateway, where, { isHardDelete: true }),
  )
  return totalImpactedData
}
