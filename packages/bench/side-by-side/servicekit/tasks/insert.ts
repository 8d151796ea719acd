import { gateway } from '../client.js'
import { orThrow } from '../generated/gateway.js'
import { insertProduct } from '../generated/product.js'

export async function insert(name: string, sku: string, price: number) {
  const { itemId } = await orThrow(
    insertProduct(gateway, { Name: name, Sku: sku, Price: price, Status: 'draft' }),
  )
  return itemId
}
