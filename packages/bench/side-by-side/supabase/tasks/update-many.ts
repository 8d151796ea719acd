import { supabase } from '../client.js'

export async function updateMany(categoryId: string) {
  const { count } = await supabase
    .from('products')
    .update({ status: 'archived' }, { count: 'exact' })
    .eq('category_id', categoryId)
    .throwOnError()
  return count
}
