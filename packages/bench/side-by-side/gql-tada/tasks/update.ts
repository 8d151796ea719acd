import { execute, graphql } from '../client.js'

const UpdateProduct = graphql(`
  mutation ($where: ProductFilterInput!, $input: ProductUpdateInput!) {
    updateProduct(where: $where, input: $input) {
      acknowledged
      message
    }
  }
`)

export async function update(id: string, name: string) {
  const { updateProduct } = await execute(UpdateProduct, {
    where: { ItemId: { eq: id } },
    input: { Name: name },
  })
  if (!updateProduct?.acknowledged) throw new Error(updateProduct?.message ?? 'Not updated')
}
