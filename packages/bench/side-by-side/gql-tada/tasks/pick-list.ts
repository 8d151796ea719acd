import { execute, graphql } from '../client.js'

const PickCategories = graphql(`
  query ($search: String!) {
    Categories(
      where: { Name: { contains: $search } }
      order: [{ field: "Name" }]
      paging: { pageNo: 1, pageSize: 20 }
    ) {
      items {
        value: ItemId
        label: Name
      }
    }
  }
`)

export async function pickList(search: string) {
  const { Categories } = await execute(PickCategories, { search })
  return Categories?.items ?? []
}
