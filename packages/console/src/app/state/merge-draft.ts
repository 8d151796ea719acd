import { isObject, parseJson } from '@servicekit/core'

/**
 * Applies what a user changed to values that someone else has changed since. Of an object, only
 * the members that the user changed are applied. All values are JSON.
 */
export function mergeDraft(
  current: string,
  kept: { readonly base: string; readonly values: string },
): string {
  const [now, before, after] = [current, kept.base, kept.values].map((text) => parseJson(text))
  if (!isObject(now) || !isObject(before) || !isObject(after)) return kept.values
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return JSON.stringify({ ...now, ...Object.fromEntries(changed) })
}
