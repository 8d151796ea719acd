/** Parses JSON; returns undefined if it is invalid. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
