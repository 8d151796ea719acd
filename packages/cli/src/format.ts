/** Formats `1,234` in the same way on every machine. */
export const count = (value: number): string => value.toLocaleString('en-US')

/** Formats `512 B`, `48.2 kB` or `1.3 MB`. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)} kB` : `${(value / 1e6).toFixed(1)} MB`
}

/** Formats `84 ms` or `1.4 s`. */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
