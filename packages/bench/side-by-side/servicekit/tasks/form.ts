import { gateway } from '../client.js'
import { orThrow } from '../generated/gateway.js'
import { insertProduct, ProductInsertSchema } from '../generated/product.js'

export async function form(values: unknown) {
  const result = ProductInsertSchema['~standard'].validate(values)
  if (result.issues) {
    return {
      issues: result.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
    }
  }
  const { itemId } = await orThrow(insertProduct(gateway, result.value))
  return { id: itemId }
}
