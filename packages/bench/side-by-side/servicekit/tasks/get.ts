import { gateway } from '../client.js'
import { orThrow } from '../generated/gateway.js'
import { getProduct } from '../generated/product.js'

export async function get(id: string) {
  const product = await orThrow(
    getProduct(gateway, id, { select: ['Name', 'Description', 'Stock'] }),
  )
  return product && { ...product, summary: product.Description?.slice(0, 80) ?? '' }
}
