import { prisma } from '../client.js'

export async function insert(name: string, sku: string, price: number) {
  const { id } = await prisma.product.create({
    data: { name, sku, price, status: 'draft' },
    select: { id: true },
  })
  return id
}
