import { supabase } from '../client.js'

export async function get(id: string) {
  const { data: product } = await supabase
    .from('products')
    .select('name, description, stock')
    .eq('id', id)
    .maybeSingle()
    .throwOnError()
  return product && { ...product, summary: product.description?.slice(0, 80) ?? '' }
}
