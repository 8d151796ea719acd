/** Limits of section 8. Where pages count from is in the schemas of each request. */
export const limits = {
  /** Longest accepted project key, in characters. */
  projectKeyLength: 64,
  /** Bounds and default of a suggestion's temperature. */
  temperature: { min: 0, max: 1, default: 0.7 },
  /** Rows of a gateway list query that names no paging. */
  gatewayPageSize: 10,
  /** How long the authorization address of a tool is good for, in milliseconds. */
  toolAuthorizationMs: { min: 600_000, max: 900_000 },
} as const

/** Language code whose file holds every key as its own value (section 4.6). */
export const keyLanguage = 'key'

/** What an instance answers in place of a translation that nobody has written yet. */
export const missingMarker = '[ KEY MISSING ]'
