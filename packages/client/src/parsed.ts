/** Parses JSON; other text is returned as it is, undefined for an empty one. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text || undefined
  }
}
