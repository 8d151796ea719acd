import * as v from 'valibot'
import { client } from '../client.js'

const ProductForm = v.object({
  Name: v.string(),
  Description: v.nullish(v.string()),
  Price: v.number(),
  Stock: v.nullish(v.pipe(v.number(), v.integer())),
  Sku: v.string(),
  Status: v.nullish(v.string()),
  CategoryId: v.nullish(v.string()),
})

export async function form(values: unknown) {
  const result = v.safeParse(ProductForm, values)
  if (!result.success) {
    return {
      issues: result.issues.map((one) => ({ field: v.getDotPath(one), message: one.message })),
    }
  }
  const { insertProduct } = await client.mutation({
    insertProduct: { __args: { input: result.output }, itemId: true },
  })
  return { id: insertProduct?.itemId ?? null }
}
