import { prisma } from '../client.js'

export async function deleteMany(before: Date) {
  const { count } = await prisma.product.deleteMany({
    where: { status: 'draft', createdAt: { lt: before } },
  })
  return count
}
