// Keeps React Compiler from showing old messages. It assumes that a message always returns the
// same text, and caches it.
import { useMessages } from './client.js'

const empty = Symbol.for('react.memo_cache_sentinel')

/** Returns `c` of React's runtime of the compiler, with caches that new messages empty. */
export const withMessages = (createCache) => (size) => {
  const messages = useMessages()
  const cache = createCache(size + 1)
  if (cache[size] !== messages) {
    cache.fill(empty)
    cache[size] = messages
  }
  return cache
}
