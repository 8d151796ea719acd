import { type ResultOf } from 'gql.tada'
import { execute, graphql } from '../client.js'

// A document is fixed at compile time: every column is read, and the rest is dropped.
const ExportProducts = graphql(`
  query {
    Products(paging: { pageNo: 1, pageSize: 100 }) {
      items {
        ItemId
        Name
        Description
        Price
        Stock
        Sku
        Status
        CategoryId
      }
    }
  }
`)

type Row = NonNullable<ResultOf<typeof ExportProducts>['Products']>['items'][number]

export async function columns(names: readonly (keyof Row)[]): Promise<Partial<Row>[]> {
  const { Products } = await execute(ExportProducts, {})
  return (Products?.items ?? []).map((row) =>
    Object.fromEntries(names.map((name) => [name, row[name]])),
  )
}
