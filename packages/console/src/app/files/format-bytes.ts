const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a number of bytes in a language: `1.2 MB`. */
export function formatBytes(bytes: number, language: string): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step)
}
