import { prisma } from '../client.js'

export async function update(id: string, name: string) {
  await prisma.product.update({ where: { id }, data: { name } })
}
