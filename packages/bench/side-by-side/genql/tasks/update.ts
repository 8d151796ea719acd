import { client } from '../client.js'

export async function update(id: string, name: string) {
  const { updateProduct } = await client.mutation({
    updateProduct: {
      __args: { where: { ItemId: { eq: id } }, input: { Name: name } },
      acknowledged: true,
      message: true,
    },
  })
  if (!updateProduct?.acknowledged) throw new Error(updateProduct?.message ?? 'Not updated')
}
