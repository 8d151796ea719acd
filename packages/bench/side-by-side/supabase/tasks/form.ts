import * as v from 'valibot'
import { supabase } from '../client.js'

const ProductForm = v.object({
  name: v.string(),
  description: v.nullish(v.string()),
  price: v.number(),
  stock: v.nullish(v.pipe(v.number(), v.integer())),
  sku: v.string(),
  status: v.optional(v.picklist(['draft', 'active', 'archived'])),
  category_id: v.nullish(v.string()),
})

export async function form(values: unknown) {
  const result = v.safeParse(ProductForm, values)
  if (!result.success) {
    return {
      issues: result.issues.map((one) => ({ field: v.getDotPath(one), message: one.message })),
    }
  }
  const { data } = await supabase
    .from('products')
    .insert(result.output)
    .select('id')
    .single()
    .throwOnError()
  return { id: data.id }
}
