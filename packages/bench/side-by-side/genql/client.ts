import { createClient } from './generated/index.js'

export const client = createClient({
  url: 'http://127.0.0.1:4600/data/v4/gateway',
  headers: { 'x-service-key': 'side-by-side' },
})
