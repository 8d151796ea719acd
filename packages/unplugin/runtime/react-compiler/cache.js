// Keeps React Compiler from showing old messages. It assumes that a message always returns the same
// text, and caches it.
import { getChanges, subscribe } from '~uilm'
import { Changes } from '~uilm/react'

const empty = Symbol.for('react.memo_cache_sentinel')
let isProvided = true

/**
 * Returns `c` of a runtime of the compiler, with caches that are emptied after a change of the
 * language or of a translation, as the compiler does in development after an edit of a source file.
 *
 * It also reads a context, so that every compiled component renders again. Unlike a subscription,
 * this takes no place among the hooks of a component: Fast Refresh fails if an edit changes their
 * number.
 *
 * @type {(createCache: (size: number) => unknown[], readContext: (context: any) => unknown) => (size: number) => unknown[]}
 */
export const withMessages = (createCache, readContext) => (size) => {
  if (readContext(Changes) === undefined && isProvided) {
    isProvided = false
    subscribe(reportMissing)
  }
  const changes = getChanges()
  const cache = createCache(size + 1)
  if (cache[size] !== changes) {
    cache.fill(empty)
    cache[size] = changes
  }
  return cache
}

const reportMissing = () =>
  console.error(
    '[uilm] Components outside of <LanguageProvider> may keep the old language, because React Compiler caches them. Render the application in <LanguageProvider> of ~uilm/react.',
  )
