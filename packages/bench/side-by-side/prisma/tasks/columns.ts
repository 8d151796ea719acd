import { prisma } from '../client.js'
import type { Prisma } from '../generated/client.js'

export async function columns(names: readonly Prisma.ProductScalarFieldEnum[]) {
  const select: Prisma.ProductSelect = Object.fromEntries(names.map((name) => [name, true]))
  return prisma.product.findMany({ select, take: 100 })
}
