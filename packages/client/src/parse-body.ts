/** Parses JSON. Returns other text as is, and undefined for an empty text. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text || undefined
  }
}
