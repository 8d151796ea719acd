import { supabase } from '../client.js'

export async function deleteMany(before: Date) {
  const { count } = await supabase
    .from('products')
    .delete({ count: 'exact' })
    .eq('status', 'draft')
    .lt('created_at', before.toISOString())
    .throwOnError()
  return count
}
