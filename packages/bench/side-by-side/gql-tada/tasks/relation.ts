import { execute, graphql } from '../client.js'

const ListNewest = graphql(`
  query {
    Products(
      order: [{ field: "CreatedDate", direction: DESC }]
      paging: { pageNo: 1, pageSize: 10 }
    ) {
      items {
        Name
        CategoryId
      }
    }
  }
`)

const ListCategories = graphql(`
  query ($ids: [String]) {
    Categories(where: { ItemId: { in: $ids } }, paging: { pageNo: 1, pageSize: 10 }) {
      items {
        ItemId
        Name
      }
    }
  }
`)

export async function relation() {
  const { Products } = await execute(ListNewest, {})
  const products = Products?.items ?? []
  const ids = products.flatMap(({ CategoryId }) => CategoryId ?? [])
  const { Categories } = await execute(ListCategories, { ids })
  return products.map(({ Name, CategoryId }) => ({
    name: Name,
    category: Categories?.items.find(({ ItemId }) => ItemId === CategoryId)?.Name ?? null,
  }))
}
