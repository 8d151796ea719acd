import * as v from 'valibot'
import { execute, graphql } from '../client.js'

const ProductForm = v.object({
  Name: v.string(),
  Description: v.nullish(v.string()),
  Price: v.number(),
  Stock: v.nullish(v.pipe(v.number(), v.integer())),
  Sku: v.string(),
  Status: v.nullish(v.string()),
  CategoryId: v.nullish(v.string()),
})

const SubmitProduct = graphql(`
  mutation ($input: ProductInsertInput!) {
    insertProduct(input: $input) {
      itemId
    }
  }
`)

export async function form(values: unknown) {
  const result = v.safeParse(ProductForm, values)
  if (!result.success) {
    return {
      issues: result.issues.map((one) => ({ field: v.getDotPath(one), message: one.message })),
    }
  }
  const { insertProduct } = await execute(SubmitProduct, { input: result.output })
  return { id: insertProduct?.itemId ?? null }
}
