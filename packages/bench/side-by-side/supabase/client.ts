import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from './generated/database.js'

export const supabase = new PostgrestClient<Database>('http://127.0.0.1:54321/rest/v1', {
  headers: { apikey: 'side-by-side' },
})
