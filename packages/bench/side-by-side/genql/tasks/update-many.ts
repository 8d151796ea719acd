import { client } from '../client.js'

export async function updateMany(categoryId: string) {
  const { updateManyProduct } = await client.mutation({
    updateManyProduct: {
      __args: { where: { CategoryId: { eq: categoryId } }, input: { Status: 'archived' } },
      totalImpactedData: true,
    },
  })
  return updateManyProduct?.totalImpactedData ?? 0
}
