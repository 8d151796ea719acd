/** Parses an absolute URL; returns undefined if it is invalid. The error would quote it. */
export function parseUrl(text: string): URL | undefined {
  // `URL.canParse` is missing in some of the supported browsers.
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
