import { client } from '../client.js'

export async function pickList(search: string) {
  const { Categories } = await client.query({
    Categories: {
      __args: {
        where: { Name: { contains: search } },
        order: [{ field: 'Name' }],
        paging: { pageNo: 1, pageSize: 20 },
      },
      items: { ItemId: true, Name: true },
    },
  })
  return (Categories?.items ?? []).map(({ ItemId, Name }) => ({ value: ItemId, label: Name }))
}
