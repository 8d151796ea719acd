import { prisma } from '../client.js'

export async function list(options: {
  search?: string
  categoryId?: string
  sort: 'name' | 'price'
  direction: 'asc' | 'desc'
  pageNo: number
}) {
  const { search, categoryId, sort, direction, pageNo } = options
  const where = { name: { contains: search }, categoryId }
  const [rows, total] = await prisma.$transaction([
    prisma.product.findMany({
      select: { id: true, name: true, price: true, stock: true },
      where,
      orderBy: { [sort]: direction },
      skip: (pageNo - 1) * 20,
      take: 20,
    }),
    prisma.product.count({ where }),
  ])
  return { rows, total }
}
