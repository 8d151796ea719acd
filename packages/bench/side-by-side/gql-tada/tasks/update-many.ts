import { execute, graphql } from '../client.js'

const UpdateProducts = graphql(`
  mutation ($where: ProductFilterInput!, $input: ProductUpdateInput!) {
    updateManyProduct(where: $where, input: $input) {
      totalImpactedData
    }
  }
`)

export async function updateMany(categoryId: string) {
  const { updateManyProduct } = await execute(UpdateProducts, {
    where: { CategoryId: { eq: categoryId } },
    input: { Status: 'archived' },
  })
  return updateManyProduct?.totalImpactedData ?? 0
}
