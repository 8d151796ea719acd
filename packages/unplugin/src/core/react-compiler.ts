/**
 * Modules from which compiled components import their caches: that of React, and for React 17
 * and 18 a package.
 */
const compilerRuntimes = ['react/compiler-runtime', 'react-compiler-runtime'] as const

export type CompilerRuntime = (typeof compilerRuntimes)[number]

/** End of the specifiers of {@link compilerRuntimes}. */
export const compilerRuntimeEnd = 'compiler-runtime'

export const isCompilerRuntime = (specifier: string): specifier is CompilerRuntime =>
  compilerRuntimes.some((one) => one === specifier)

/**
 * Returns the code of the module that compiled components import in place of a runtime of React
 * Compiler.
 *
 * The compiler assumes that a message always returns the same text, and caches it. This module
 * empties the cache of a component after a change of the language or of a translation, as the
 * compiler does in development after an edit of a source file. It also reads a context, so that
 * every compiled component renders again. Unlike a subscription, this takes no place among the
 * hooks of a component: Fast Refresh fails if an edit changes their number.
 */
export const reactCompilerCode = (
  runtime: CompilerRuntime,
): string => `import { ${runtime === 'react/compiler-runtime' ? 'use' : 'useContext'} as readContext } from 'react'
import { c as createCache } from '${runtime}'
import { getChanges, subscribe } from '~uilm'
import { Changes } from '~uilm/react'
${runtime === 'react/compiler-runtime' ? '' : `export * from '${runtime}'\n`}
const empty = Symbol.for('react.memo_cache_sentinel')
let isProvided = true

export function c(size) {
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
`
