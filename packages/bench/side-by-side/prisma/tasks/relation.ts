import { prisma } from '../client.js'

export async function relation() {
  const rows = await prisma.product.findMany({
    select: { name: true, category: { select: { name: true } } },
    orderBy: { createdAt: 'desc' },
    take: 10,
  })
  return rows.map(({ name, category }) => ({ name, category: category?.name ?? null }))
}
