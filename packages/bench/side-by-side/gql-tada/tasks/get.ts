import { execute, graphql } from '../client.js'

const GetProduct = graphql(`
  query ($id: String!) {
    Products(where: { ItemId: { eq: $id } }, paging: { pageNo: 1, pageSize: 1 }) {
      items {
        Name
        Description
        Stock
      }
    }
  }
`)

export async function get(id: string) {
  const { Products } = await execute(GetProduct, { id })
  const product = Products?.items[0]
  if (product === undefined) return null
  return { ...product, summary: product.Description?.slice(0, 80) ?? '' }
}
