import { supabase } from '../client.js'

export async function relation() {
  const { data } = await supabase
    .from('products')
    .select('name, categories(name)')
    .order('created_at', { ascending: false })
    .limit(10)
    .throwOnError()
  return data.map(({ name, categories }) => ({ name, category: categories?.name ?? null }))
}
