import { readFile } from 'node:fs/promises'
import { CodegenError, reasonOf } from './errors.ts'
import { listingOf } from './introspection.ts'
import { fetchListing, type ListingEvent } from './listing.ts'
import { parseLock } from './lock.ts'
import { buildModel, type Model, type QueryNaming } from './model.ts'
import { normaliseListing, type NormalListing } from './normalise.ts'
import type { ListingSource } from './options.ts'
import { formatProblem } from './problem.ts'
import { readListing } from './read-listing.ts'
import { fetchIntrospection } from './read-schema.ts'

/** Listing and its model. */
export interface ReadSource {
  readonly listing: NormalListing
  readonly model: Model
}

/**
 * Reads the listing from its source and builds the model.
 *
 * @throws CodegenError LISTING_FAILED, LISTING_INVALID
 */
export async function* readModel(
  source: ListingSource,
  options: { readonly queryNaming: QueryNaming },
): AsyncGenerator<ListingEvent, ReadSource, undefined> {
  const listing = normaliseListing(yield* readSource(source))
  return { listing, model: modelOf(listing, nameOf(source), options) }
}

/**
 * Builds the model of a listing.
 *
 * @throws CodegenError LISTING_INVALID if the listing has an error
 */
export function modelOf(
  listing: NormalListing,
  from: string,
  options: { readonly queryNaming: QueryNaming },
): Model {
  const model = buildModel(listing, options)
  const fatal = model.problems.find((problem) => problem.severity === 'error')
  if (fatal !== undefined) {
    throw new CodegenError('The schema listing cannot be used', {
      code: 'LISTING_INVALID',
      details: { from, reason: formatProblem(fatal) },
    })
  }
  return model
}

/** Reads the raw listing from its source. */
export async function* readSource(
  source: ListingSource,
): AsyncGenerator<ListingEvent, unknown, undefined> {
  if (source.kind === 'value') return source.value
  if (source.kind === 'file') return await readListing(source.file)
  if (source.kind === 'lock') return await readLocked(source.file)
  if (source.kind === 'introspection') return listingOf(yield* fetchIntrospection(source))
  return yield* fetchListing(source)
}

/** Reads the listing from the lock of the last generation. */
async function readLocked(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CodegenError('There is no lockfile to generate from', {
      code: 'LISTING_FAILED',
      details: { file, reason: reasonOf(cause) },
      help: 'Generate once with the service or a saved listing, and commit the lock.',
      cause,
    })
  })
  const { listing } = parseLock(text)
  if (listing !== undefined) return listing
  throw new CodegenError('The lock holds no listing', {
    code: 'LISTING_INVALID',
    details: { file },
    help: 'It is of an older version, or a merge left it broken: generate once with the service.',
  })
}

export function nameOf(source: ListingSource): string {
  if (source.kind === 'value') return 'a given listing'
  if (source.kind === 'file' || source.kind === 'lock') return source.file
  return `${source.baseUrl}, project ${source.projectKey}`
}
