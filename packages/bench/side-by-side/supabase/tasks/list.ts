import { supabase } from '../client.js'

export async function list(options: {
  search?: string
  categoryId?: string
  sort: 'name' | 'price'
  direction: 'asc' | 'desc'
  pageNo: number
}) {
  const { search, categoryId, sort, direction, pageNo } = options
  let query = supabase.from('products').select('id, name, price, stock', { count: 'exact' })
  if (search !== undefined) query = query.like('name', `%${search}%`)
  if (categoryId !== undefined) query = query.eq('category_id', categoryId)
  const { data, count } = await query
    .order(sort, { ascending: direction === 'asc' })
    .range((pageNo - 1) * 20, pageNo * 20 - 1)
    .throwOnError()
  return { rows: data, total: count }
}
