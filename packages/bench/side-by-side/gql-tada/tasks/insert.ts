import { execute, graphql } from '../client.js'

const InsertProduct = graphql(`
  mutation ($input: ProductInsertInput!) {
    insertProduct(input: $input) {
      itemId
    }
  }
`)

export async function insert(name: string, sku: string, price: number) {
  const { insertProduct } = await execute(InsertProduct, {
    input: { Name: name, Sku: sku, Price: price, Status: 'draft' },
  })
  return insertProduct?.itemId ?? null
}
