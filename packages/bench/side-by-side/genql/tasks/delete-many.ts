import { client } from '../client.js'

export async function deleteMany(before: Date) {
  const { deleteManyProduct } = await client.mutation({
    deleteManyProduct: {
      __args: {
        where: { Status: { eq: 'draft' }, CreatedDate: { lt: before.toISOString() } },
        input: { isHardDelete: true },
      },
      totalImpactedData: true,
    },
  })
  return deleteManyProduct?.totalImpactedData ?? 0
}
