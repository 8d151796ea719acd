import { supabase } from '../client.js'

export async function update(id: string, name: string) {
  await supabase.from('products').update({ name }).eq('id', id).throwOnError()
}
