import { prisma } from '../client.js'

export async function get(id: string) {
  const product = await prisma.product.findUnique({
    where: { id },
    select: { name: true, description: true, stock: true },
  })
  return product && { ...product, summary: product.description?.slice(0, 80) ?? '' }
}
