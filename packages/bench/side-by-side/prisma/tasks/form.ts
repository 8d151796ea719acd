import * as v from 'valibot'
import { prisma } from '../client.js'

const ProductForm = v.object({
  name: v.string(),
  description: v.nullish(v.string()),
  price: v.number(),
  stock: v.nullish(v.pipe(v.number(), v.integer())),
  sku: v.string(),
  status: v.optional(v.picklist(['draft', 'active', 'archived'])),
  categoryId: v.nullish(v.string()),
})

export async function form(values: unknown) {
  const result = v.safeParse(ProductForm, values)
  if (!result.success) {
    return {
      issues: result.issues.map((one) => ({ field: v.getDotPath(one), message: one.message })),
    }
  }
  return prisma.product.create({ data: result.output, select: { id: true } })
}
