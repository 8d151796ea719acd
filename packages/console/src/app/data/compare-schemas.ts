/**
 * The rules of the generator, loaded only if there are drafts. A path, not the name of the package,
 * whose entry needs Node.
 */
export { compareListings, type ListingChange } from '../../../../codegen/src/compare-listings.ts'
