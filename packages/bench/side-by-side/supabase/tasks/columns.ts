import { supabase } from '../client.js'
import type { Tables } from '../generated/database.js'

export async function columns(names: readonly (keyof Tables<'products'>)[]) {
  const { data } = await supabase
    .from('products')
    .select(names.join(', '))
    .limit(100)
    .overrideTypes<Partial<Tables<'products'>>[], { merge: false }>()
    .throwOnError()
  return data
}
