/** Wraps a function so that it runs at most once. Later calls return the first result. */
export function once<T>(run: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => (result ??= { value: run() }).value
}

/** Wraps an asynchronous function like {@link once}. A rejection is not kept: it may be temporary. */
export function onceResolved<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    if (!result) {
      result = run()
      result.catch(() => (result = undefined))
    }
    return result
  }
}

/**
 * Memoizes a function by its argument. Use it only for functions with few distinct
 * arguments: results are never evicted.
 */
export function memoize<Argument, Result>(
  run: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const results = new Map<Argument, Result>()
  return (argument) => {
    const known = results.get(argument)
    if (known !== undefined || results.has(argument)) return known as Result
    const result = run(argument)
    results.set(argument, result)
    return result
  }
}
