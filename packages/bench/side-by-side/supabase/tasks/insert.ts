import { supabase } from '../client.js'

export async function insert(name: string, sku: string, price: number) {
  const { data } = await supabase
    .from('products')
    .insert({ name, sku, price, status: 'draft' })
    .select('id')
    .single()
    .throwOnError()
  return data.id
}
