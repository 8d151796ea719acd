import { gateway } from '../client.js'
import { pickCategories } from '../generated/category.js'
import { orThrow } from '../generated/gateway.js'

export async function pickList(search: string) {
  const { options } = await orThrow(pickCategories(gateway, { search }))
  return options
}
