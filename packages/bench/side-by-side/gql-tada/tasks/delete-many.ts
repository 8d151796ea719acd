import { execute, graphql } from '../client.js'

const DeleteProducts = graphql(`
  mutation ($where: ProductFilterInput!) {
    deleteManyProduct(where: $where, input: { isHardDelete: true }) {
      totalImpactedData
    }
  }
`)

export async function deleteMany(before: Date) {
  const { deleteManyProduct } = await execute(DeleteProducts, {
    where: { Status: { eq: 'draft' }, CreatedDate: { lt: before.toISOString() } },
  })
  return deleteManyProduct?.totalImpactedData ?? 0
}
