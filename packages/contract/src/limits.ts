/** Longest accepted project key, in characters. */
export const projectKeyLength = 64

/** Limits of section 8. The schema of each request defines the number of the first page. */
export const limits = {
  projectKeyLength,
  /** Bounds and default of a suggestion's temperature. */
  temperature: { min: 0, max: 1, default: 0.7 },
  /** Default page size of a gateway list query, in rows. */
  gatewayPageSize: 10,
  /** Lifetime of a tool's authorization address, in milliseconds. */
  toolAuthorizationMs: { min: 600_000, max: 900_000 },
} as const

/** Language code whose file maps every key to itself (section 4.6). */
export const keyLanguage = 'key'

/** Value that some instances return for a missing translation. */
export const missingMarker = '[ KEY MISSING ]'

/**
 * Pattern of the marker as instances return it, with other case and white space. Matches without
 * regard to case, in JavaScript and in PostgreSQL.
 */
export const missingPattern = String.raw`^\s*\[\s*key\s*missing\s*\]\s*$`

const missing = new RegExp(missingPattern, 'i')

/** Returns whether a translation is the marker of a missing one, in any spelling. */
export const isMissingMarker = (text: string): boolean => missing.test(text)
