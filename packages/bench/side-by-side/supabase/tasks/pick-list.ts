import { supabase } from '../client.js'

export async function pickList(search: string) {
  const { data } = await supabase
    .from('categories')
    .select('value:id, label:name')
    .ilike('name', `%${search}%`)
    .order('name')
    .limit(20)
    .throwOnError()
  return data
}
