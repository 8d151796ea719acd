import { isObject } from './shape.ts'

/** Key in a schema's extensions under which the loader leaves the listing. */
export const listingExtension = 'servicekit'

/** What the loader leaves there. A function, since merging schemas copies plain objects. */
export interface ListingExtension {
  readonly listing: () => unknown
  /** Where the listing came from, for messages. */
  readonly from: string
}

/** Finds the listing in a schema's extensions. */
export function readListingExtension(extensions: unknown): ListingExtension | undefined {
  const found = isObject(extensions) ? extensions[listingExtension] : undefined
  if (!isObject(found) || typeof found['listing'] !== 'function') return undefined
  return found as unknown as ListingExtension
}
