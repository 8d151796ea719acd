import { prisma } from '../client.js'

export async function updateMany(categoryId: string) {
  const { count } = await prisma.product.updateMany({
    where: { categoryId },
    data: { status: 'archived' },
  })
  return count
}
