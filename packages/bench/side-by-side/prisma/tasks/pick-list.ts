import { prisma } from '../client.js'

export async function pickList(search: string) {
  const rows = await prisma.category.findMany({
    select: { id: true, name: true },
    where: { name: { contains: search, mode: 'insensitive' } },
    orderBy: { name: 'asc' },
    take: 20,
  })
  return rows.map(({ id, name }) => ({ value: id, label: name }))
}
