import { gateway } from '../client.js'
import { orThrow } from '../generated/gateway.js'
import { updateProduct } from '../generated/product.js'

export async function update(id: string, name: string) {
  await orThrow(updateProduct(gateway, id, { Name: name }))
}
