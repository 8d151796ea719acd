import { isObject } from '@servicekit/core'

/** Key of the listing in the extensions of a schema. */
export const listingExtension = 'servicekit'

/**
 * Extension set by the loader. The listing is a function because merging schemas copies
 * plain objects.
 */
export interface ListingExtension {
  readonly listing: () => unknown
  /** Origin of the listing, for messages. */
  readonly from: string
}

/** Returns the listing from the extensions of a schema. */
export function readListingExtension(extensions: unknown): ListingExtension | undefined {
  const found = isObject(extensions) ? extensions[listingExtension] : undefined
  if (!isObject(found) || typeof found['listing'] !== 'function') return undefined
  return found as unknown as ListingExtension
}
