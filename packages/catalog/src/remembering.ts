/**
 * Memoizes a function of a string. Use it only for functions with few distinct arguments.
 */
export function remembering<Result>(
  answer: (argument: string) => Result,
): (argument: string) => Result {
  const known = new Map<string, Result>()
  return (argument) => {
    const found = known.get(argument)
    if (found !== undefined) return found
    const result = answer(argument)
    known.set(argument, result)
    return result
  }
}
